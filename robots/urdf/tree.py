"""Whether links and joints make one tree, and mimic joints follow somebody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from telexist.retarget.errors import BadModel
from telexist.robots.urdf.urdf import Joint, UrdfLink

__all__ = ["check_mimics", "root_of_tree"]


def root_of_tree(
    links: Mapping[str, UrdfLink], joints: Mapping[str, Joint], path: str | Path
) -> str:
    """Return the only link without a parent.

    Raises:
        BadModel: If a joint names a missing link, a link has two parents, there are
            several roots, or links go round in a loop.
    """
    parent_of: dict[str, str] = {}
    for joint in joints.values():
        place = f"joint {joint.name}"
        for link in (joint.parent, joint.child):
            if link not in links:
                raise BadModel(path, f"there is no link '{link}'", place=place)
        if joint.child in parent_of:
            problem = f"link '{joint.child}' has two parents"
            raise BadModel(path, problem, place=place)
        parent_of[joint.child] = joint.parent
    roots = [name for name in links if name not in parent_of]
    if not roots:
        raise BadModel(path, "links go round in a loop: no link is the root")
    if len(roots) > 1:
        names = ", ".join(roots[:5]) + (", ..." if len(roots) > 5 else "")
        raise BadModel(path, f"{len(roots)} links have no parent, expected 1: {names}")
    _check_reached(links, parent_of, roots[0], path)
    return roots[0]


def _check_reached(
    links: Mapping[str, UrdfLink],
    parent_of: Mapping[str, str],
    root: str,
    path: str | Path,
) -> None:
    """Walk from every link towards the root; a loop never arrives there."""
    reached = {root}
    for link in links:
        walked = []
        while link not in reached:
            if link in walked:
                raise BadModel(path, "links go round in a loop", place=f"link {link}")
            walked.append(link)
            link = parent_of[link]
        reached.update(walked)


def check_mimics(joints: Mapping[str, Joint], path: str | Path) -> None:
    """Check that every mimic joint follows, in the end, a joint that follows nobody.

    Raises:
        BadModel: If it follows a missing joint or itself.
    """
    for joint in joints.values():
        place = f"joint {joint.name}"
        seen = [joint.name]
        follower = joint
        while follower.mimic is not None:
            leader = follower.mimic.leader
            if leader not in joints:
                raise BadModel(path, f"mimics a missing joint '{leader}'", place=place)
            if leader in seen:
                raise BadModel(path, "mimics itself", place=place)
            seen.append(leader)
            follower = joints[leader]
