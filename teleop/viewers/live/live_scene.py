"""The stage of the live page: the person, the robot, and what its controller sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Configuration
from telexist.retarget.segments import PARENT, SEGMENTS
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.teleop.viewers.figures import (
    PersonForces,
    ReportMarks,
    SceneParts,
    human_solids,
    robot_solids,
)
from telexist.teleop.viewers.live.page_update import PageUpdate

__all__ = ["LiveScene", "segment_positions"]

GRID = 40.0  # [m] edge of the floor


class LiveScene:
    """Draws updates; the robot stands in its world, the person to its left.

    Attributes:
        follows: Whether cameras go along with the robot.
    """

    def __init__(self, server: Any, size: HumanSize, robot_height: float) -> None:
        """Set the stage with the person; the robot comes later.

        Args:
            server: A viser server.
            size: Of the person that is drawn.
            robot_height: [m]; 0 without a robot.
        """
        self._server, self._size = server, size
        self.follows = True
        self._robot: RobotModel | None = None
        self._spot = np.zeros(3)
        self._watching: set[int] = set()  # numbers of the browsers
        beside = 0.45 * (robot_height + size.height) if robot_height else 0.0
        self._beside = np.array([0.0, beside, 0.0])
        scene = server.scene
        scene.set_up_direction("+z")
        scene.add_grid(
            "/floor",
            width=GRID,
            height=GRID,
            cell_size=0.5,
            section_size=1.0,
            cell_color=(225, 228, 232),
            section_color=(198, 203, 210),
            plane_color=(246, 247, 249),
            plane_opacity=1.0,
            position=(0.0, 0.0, -0.001),
        )
        self._person_root = scene.add_frame("/human", show_axes=False, visible=False)
        self._person = SceneParts(scene, "/human", human_solids(size))
        self._forces = PersonForces(scene, "/human", self._person)
        self._marks = ReportMarks(scene, "/controller")
        self._look_at(max(robot_height, size.height), middle=0.5 * beside)

    def add_robot(self, robot: RobotModel) -> None:
        """Draw a robot; takes seconds for one with many meshes."""
        self._parts = SceneParts(self._server.scene, "/robot", robot_solids(robot))
        kinematics = robot.body.kinematics
        self._frames = [kinematics.frame(link) for link in self._parts.names]
        self._robot = robot
        self._marks.take_soles(robot.body)
        self._move_robot(robot.body.neutral)

    def show(self, update: PageUpdate) -> None:
        """Bring everything to an update."""
        if self._robot is not None and update.q is not None:
            self._show_robot(self._robot, update, update.q)
        if update.human_R is not None and update.segments:
            self._show_person(update, update.human_R)
        self._forces.show(update.person)
        self._marks.show(update.marks)

    def _show_robot(self, robot: RobotModel, update: PageUpdate, q: Array) -> None:
        neutral = robot.body.neutral
        if len(q) != len(neutral.q) or not np.isfinite(q).all():
            return
        p, R = update.world_p_base, update.world_R_base
        known = p is not None and R is not None and np.isfinite(p).all()
        configuration = Configuration(
            world_p_base=p if known and p is not None else neutral.world_p_base,
            world_R_base=R if known and R is not None else neutral.world_R_base,
            q=q,
        )
        self._move_robot(configuration)
        self._follow(np.append(configuration.world_p_base[:2], 0.0))

    def _move_robot(self, configuration: Configuration) -> None:
        if self._robot is not None:
            kinematics = self._robot.body.kinematics
            kinematics.update(configuration)
            self._parts.move(
                kinematics.rotations(self._frames), kinematics.positions(self._frames)
            )

    def _show_person(self, update: PageUpdate, rotations: Array) -> None:
        known = dict(zip(update.segments, rotations, strict=True))
        positions = (
            segment_positions(self._size, known)
            if update.human_p is None
            else dict(zip(update.segments, update.human_p, strict=True))
        )
        nowhere, level = np.full(3, np.nan), np.eye(3)
        names = self._person.names
        self._person.show_only(known.keys())
        self._person.move(
            np.array([known.get(name, level) for name in names]),
            np.array([positions.get(name, nowhere) for name in names]),
        )
        self._place_person(positions)

    def _place_person(self, positions: Mapping[str, Array]) -> None:
        """Keep the person beside the robot, wherever both went."""
        middle = positions.get("Pelvis", np.mean(list(positions.values()), axis=0))
        if np.isfinite(middle).all():
            place = self._spot + self._beside - np.append(middle[:2], 0.0)
            self._person_root.position = place
            self._person_root.visible = True

    def _follow(self, spot: Array) -> None:
        """Move every camera as far over the floor as the robot moved.

        A browser that is new looks at the robot where it is now; what it says of its
        camera before that is not to be built on.
        """
        moved = spot - self._spot
        far = bool(np.linalg.norm(moved) >= 0.01)
        if far:
            self._spot = spot
        clients = self._server.get_clients()
        for number, client in clients.items():
            if number not in self._watching:
                client.camera.position = self._eye + self._spot
                client.camera.look_at = self._aim + self._spot
            elif far and self.follows:
                client.camera.position = client.camera.position + moved
        self._watching = set(clients)

    def _look_at(self, tallest: float, *, middle: float) -> None:
        camera = self._server.initial_camera
        distance = 2.1 * tallest + abs(middle)
        self._eye = np.array([distance, middle - 0.25 * distance, 0.8 * tallest])
        self._aim = np.array([0.0, middle, 0.48 * tallest])
        camera.position, camera.look_at = self._eye, self._aim
        camera.fov = np.radians(45.0)


def segment_positions(
    size: HumanSize, rotations: Mapping[str, Array]
) -> dict[str, Array]:
    """Return where the segments are when only rotations are known (3,) [m].

    The pelvis stays where it is in N-pose; a segment without rotation has its parent's.
    """
    turned: dict[str, Array] = {}
    places: dict[str, Array] = {}
    for name in SEGMENTS:
        parent = PARENT[name]
        if parent is None:
            turned[name] = rotations.get(name, np.eye(3))
            places[name] = size.joints[name]
            continue
        turned[name] = rotations.get(name, turned[parent])
        offset = size.joints[name] - size.joints[parent]
        places[name] = places[parent] + turned[parent] @ offset
    return places
