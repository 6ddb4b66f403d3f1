"""The same person for pinocchio, which is the witness of everything here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
import pytest
from telexist.retarget.dynamics import PersonModel, TorqueEstimator, person_model
from telexist.retarget.human import adult_size, human_urdf
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

MASS = 75.0


class PinocchioPerson:
    """A person in pinocchio: the wrench that nobody else carries is the left foot's.

    The pelvis has no linear velocity and the world no gravity, so that accelerations
    are proper ones; neither changes a torque.
    """

    def __init__(self, name: str) -> None:
        size = adult_size(1.75)
        self.person: PersonModel = person_model(size, MASS, model=name)
        urdf = human_urdf(size, mass=MASS, model=name)
        self.model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
        self.model.gravity = pin.Motion.Zero()
        self.data = self.model.createData()
        ids = [self.model.getJointId(joint) for joint in self.person.joint_names]
        self.columns = np.array([self.model.joints[i].idx_v for i in ids])
        self.frames = [self.model.getFrameId(name) for name in SEGMENTS]

    def random_state(self, rng: np.random.Generator) -> State:
        n, nv = self.person.n, self.model.nv
        q = pin.neutral(self.model)
        q[self.columns + 1] = rng.uniform(-1.0, 1.0, n)
        v, dv = 3.0 * rng.normal(size=nv), 10.0 * rng.normal(size=nv)
        v[:3] = 0.0
        return self.state(q, v, dv, 50.0 * rng.normal(size=(len(SEGMENTS), 6)))

    def state(self, q: Array, v: Array, dv: Array, wrench: Array) -> State:
        """Complete a state: the left foot carries what is missing."""
        model, data = self.model, self.data
        pin.forwardKinematics(model, data, q, v, dv)
        pin.updateFramePlacements(model, data)
        pin.computeJointJacobians(model, data, q)
        J = np.array(
            [pin.getFrameJacobian(model, data, f, pin.LOCAL) for f in self.frames]
        )
        a = np.array(
            [
                pin.getFrameClassicalAcceleration(model, data, f, pin.LOCAL).vector
                for f in self.frames
            ]
        )
        # on copies: `crba` and `rnea` overwrite what the frames were computed from
        whole = pin.rnea(model, model.createData(), q, v, dv)
        others = np.einsum("lfv,lf->v", J, wrench)
        foot = SEGMENT_INDEX["LeftFoot"]
        others -= J[foot].T @ wrench[foot]
        wrench = wrench.copy()
        wrench[foot] = np.linalg.solve(J[foot, :, :6].T, (whole - others)[:6])
        tau = whole - others - J[foot].T @ wrench[foot]
        assert np.abs(tau[:6]).max() < 1e-8
        M = pin.crba(model, model.createData(), q)
        M = np.triu(M) + np.triu(M, 1).T
        return State(
            q=q[self.columns + 1],
            dq=v[self.columns],
            ddq=dv[self.columns],
            pelvis_w=v[3:6],
            pelvis_a=a[0],
            a=a,
            wrench=wrench,
            tau=tau[self.columns],
            J=J,
            drift=a - np.einsum("lfv,v->lf", J, dv),
            M=M,
            bias=whole - M @ dv,
        )


@dataclass(frozen=True, kw_only=True)
class State:
    """A motion with all that causes it."""

    q: Array
    dq: Array
    ddq: Array
    pelvis_w: Array
    pelvis_a: Array
    a: Array
    wrench: Array
    tau: Array
    J: Array
    drift: Array
    M: Array
    bias: Array

    def tell(self, estimator: TorqueEstimator) -> None:
        """Write the motion as known, with the pelvis' acceleration as a reading."""
        known = estimator.known
        known.q[:], known.dq[:], known.ddq[:] = self.q, self.dq, self.ddq
        known.pelvis_w[:] = self.pelvis_w
        known.wrench[:] = self.wrench
        known.information[:], known.information_vector[:] = 0.0, 0.0
        known.information[0] = np.eye(6)
        known.information_vector[0] = self.pelvis_a


@pytest.fixture(scope="session", params=["human66", "human48"])
def whole_person(request: pytest.FixtureRequest) -> PinocchioPerson:
    return PinocchioPerson(request.param)


@pytest.fixture(scope="session")
def human66() -> PinocchioPerson:
    return PinocchioPerson("human66")
