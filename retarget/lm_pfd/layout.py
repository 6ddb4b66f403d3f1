"""A model and its targets laid out as records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import Records
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.lm_pfd.elimination import Elimination, eliminate
from telexist.retarget.lm_pfd.iterations import ROOT_EPSILON
from telexist.retarget.lm_pfd.model import LinkModel, PoseTarget, Posture, ViaPoint
from telexist.retarget.lm_pfd.records import (
    BLOCK,
    COLUMN,
    KINDS,
    LINK,
    LOOP,
    PAIR,
    PART,
    SOLVER,
    TARGET,
    VIA,
    WIRE,
    Problem,
    zero_records,
)
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.so3 import Array

__all__ = ["LOOP_SOFTNESS", "build_problem", "read_posture", "set_goals", "set_posture"]

LOOP_SOFTNESS = 1e3
"""How much softer a loop is than a joint: joints must hold while loops draw."""


def build_problem(
    model: LinkModel, targets: Sequence[PoseTarget], settings: LmSettings
) -> Problem:
    """Lay a model and its targets out, joints at rest.

    Raises:
        BadInput: If there are no links.
        UnknownName: If a target is on a link that the model does not have.
    """
    if not model.links:
        raise BadInput("a model needs at least one link")
    index = model.index()
    plan = eliminate(len(model.links), _neighbours(model))
    parts, pairs, wires, vias = _wires(model, plan)
    problem = Problem(
        links=_links(model, plan),
        targets=_targets(targets, index),
        wires=wires,
        vias=vias,
        parts=parts,
        pairs=pairs,
        loops=_loops(model, plan),
        columns=_columns(plan),
        blocks=_blocks(plan),
        updates=plan.updates,
        solver=_solver(model, settings),
    )
    set_posture(problem, model.rest())
    return problem


def set_posture(problem: Problem, posture: Posture) -> None:
    """Put the joints where a posture has them.

    Raises:
        BadInput: If the posture is of another model.
    """
    if len(posture.turns) != len(problem.links):
        raise BadInput(
            f"a posture of {len(posture.turns)} joints does not fit a model of "
            f"{len(problem.links)} links"
        )
    problem.links["turn"], problem.links["slide"] = posture.turns, posture.slides


def read_posture(problem: Problem) -> Posture:
    """Return where the joints are."""
    return Posture(turns=problem.links["turn"], slides=problem.links["slide"])


def set_goals(problem: Problem, world_p_goals: Array) -> None:
    """Move the goals of all targets, their orientation unchanged (k, 3) [m].

    Raises:
        BadInput: If there are not as many goals as targets, or some are not finite.
    """
    goals = np.asarray(world_p_goals, dtype=np.float64)
    if goals.shape != (len(problem.targets), 3) or not np.all(np.isfinite(goals)):
        raise BadInput(f"{len(problem.targets)} finite goals of 3 numbers are needed")
    problem.targets["p"] = goals


def _neighbours(model: LinkModel) -> list[tuple[int, int]]:
    index = model.index()
    pairs = [
        (index[link.name], index[link.parent])
        for link in model.links
        if link.parent is not None
    ]
    pairs += [(index[x.first.link], index[x.second.link]) for x in model.loops]
    for wire in model.wires:
        pairs += combinations(_links_under(wire.path, index), 2)
    return pairs


def _links_under(path: Sequence[ViaPoint], index: dict[str, int]) -> list[int]:
    """Return the links of a path, each once."""
    return list(dict.fromkeys(index[point.link] for point in path))


def _links(model: LinkModel, plan: Elimination) -> Records:
    index = model.index()
    records = zero_records(len(model.links), LINK)
    for i, link in enumerate(model.links):
        own = records[i]
        parent = -1 if link.parent is None else index[link.parent]
        own["parent"], own["kind"] = parent, KINDS[link.joint]
        own["rest_R"], own["rest_p"] = link.rest_R, link.rest_p
        own["axis"], own["column"] = link.axis, plan.column[i]
        own["coupling"] = -1 if parent < 0 else plan.block(i, parent)
    return records


def _targets(targets: Sequence[PoseTarget], index: dict[str, int]) -> Records:
    records = zero_records(len(targets), TARGET)
    for own, target in zip(records, targets, strict=True):
        if target.link not in index:
            raise UnknownName("link", target.link, index)
        own["link"], own["weight"] = index[target.link], target.weight
        own["turns"] = bool(np.any(target.weight[:3, :]))
        even = np.zeros((3, 6))
        np.fill_diagonal(even, target.weight[0, 0])
        own["uneven"] = not np.array_equal(target.weight[:3], even)
        turn, place = target.weight[0, 0], target.weight[3, 3]
        own["turn_weight"], own["place_weight"] = turn, place
        plain = np.diag([turn, turn, turn, place, place, place])
        own["plain"] = np.array_equal(target.weight, plain)
        own["offset"] = bool(np.any(target.link_p_point))
        own["point"], own["p"] = target.link_p_point, target.world_p_goal
        own["R"] = target.world_R_goal
    return records


def _wires(
    model: LinkModel, plan: Elimination
) -> tuple[Records, Records, Records, Records]:
    """Return parts, pairs, wires and via-points."""
    index = model.index()
    wires = np.zeros(len(model.wires), dtype=WIRE)
    vias: list[tuple[int, int, Array]] = []
    parts: list[int] = []
    pairs: list[tuple[int, int, int]] = []
    for own, wire in zip(wires, model.wires, strict=True):
        own["length"], own["weight"] = wire.length, wire.weight
        own["first_via"], own["first_part"] = len(vias), len(parts)
        own["first_pair"] = len(pairs)
        under = _links_under(wire.path, index)
        place = {link: len(parts) + k for k, link in enumerate(under)}
        for point in wire.path:
            link = index[point.link]
            vias.append((link, place[link], point.link_p_point))
        early_first = sorted(under, key=lambda i: int(plan.column[i]))
        pairs += [
            (plan.block(a, b), place[a], place[b])
            for a, b in combinations_with_replacement(early_first, 2)
        ]
        parts += under
        own["end_via"], own["end_part"] = len(vias), len(parts)
        own["end_pair"] = len(pairs)
    return _part_records(parts), np.array(pairs, dtype=PAIR), wires, _via_records(vias)


def _part_records(links: Sequence[int]) -> Records:
    records = np.zeros(len(links), dtype=PART)
    records["link"] = links
    return records


def _via_records(vias: Sequence[tuple[int, int, Array]]) -> Records:
    records = np.zeros(len(vias), dtype=VIA)
    for own, (link, part, point) in zip(records, vias, strict=True):
        own["link"], own["part"], own["point"] = link, part, point
    return records


def _loops(model: LinkModel, plan: Elimination) -> Records:
    index = model.index()
    records = np.zeros(len(model.loops), dtype=LOOP)
    for own, loop in zip(records, model.loops, strict=True):
        a, b = index[loop.first.link], index[loop.second.link]
        if a == b:
            raise BadInput(f"a loop joins link {loop.first.link} to itself")
        own["first"], own["second"], own["block"] = a, b, plan.block(a, b)
        own["first_point"] = loop.first.link_p_point
        own["second_point"] = loop.second.link_p_point
        own["turns"] = loop.first_R_second is not None
        if loop.first_R_second is not None:
            own["first_R_second"] = loop.first_R_second
    return records


def _columns(plan: Elimination) -> Records:
    records = np.zeros(len(plan.order), dtype=COLUMN)
    records["link"] = plan.order
    records["first"], records["end"] = plan.first[:-1], plan.first[1:]
    records["first_update"] = plan.first_update[:-1]
    return records


def _blocks(plan: Elimination) -> Records:
    records = zero_records(len(plan.late), BLOCK)
    late: NDArray[np.int64] = plan.late
    records["column"] = late
    return records


def _solver(model: LinkModel, settings: LmSettings) -> Records:
    record = np.zeros(1, dtype=SOLVER)
    softness = settings.compliance
    if softness is None:
        softness = max(model.dofs, 1) * ROOT_EPSILON
    record["dofs"], record["compliance"] = model.dofs, softness
    record["loop_compliance"] = LOOP_SOFTNESS * softness
    record["cost_goal"], record["gradient_goal"] = settings.cost, settings.gradient
    record["step_goal"] = settings.step
    return record
