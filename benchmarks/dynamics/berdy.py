"""iDynTree's sparse MAP solver on the same person, in a process of its own.

Its libraries and pinocchio's do not always bear each other in one process. The other
process solves once for every line that it is sent and answers how long it took.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

__all__ = ["BerdyProcess"]


class BerdyProcess:
    """Solves the problem of a floating base when asked; absent where iDynTree is."""

    def __init__(self, urdf: str) -> None:
        """Start it.

        Args:
            urdf: Of the person.
        """
        self.seconds: list[float] = []
        self._process: subprocess.Popen[str] | None = None
        if importlib.util.find_spec("idyntree") is None:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".urdf", delete=False) as file:
            file.write(urdf)
        self._file = Path(file.name)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "telexist.benchmarks.dynamics.berdy", file.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> BerdyProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._file.unlink(missing_ok=True)

    def solve(self) -> None:
        """Solve once and keep how long it took, unless the process is not there."""
        if self._process is None or not (self._process.stdin and self._process.stdout):
            return
        try:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        except OSError:
            return
        answer = self._process.stdout.readline().strip()
        if answer:
            self.seconds.append(float(answer))


def _serve(path: str) -> None:
    import idyntree.bindings as idyntree

    loader = idyntree.ModelLoader()
    if not loader.loadModelFromFile(path):
        return
    model = loader.model()
    options = idyntree.BerdyOptions()
    options.berdyVariant = idyntree.BERDY_FLOATING_BASE
    options.includeAllNetExternalWrenchesAsSensors = True
    options.includeAllNetExternalWrenchesAsDynamicVariables = True
    options.includeAllJointAccelerationsAsSensors = True
    options.baseLink = "Pelvis"
    helper = idyntree.BerdyHelper()
    if not helper.init(model, options):
        return
    solver = idyntree.BerdySparseMAPSolver(helper)
    if not solver.initialize():
        return
    positions = idyntree.JointPosDoubleArray(model)
    velocities = idyntree.JointDOFsDoubleArray(model)
    spin = idyntree.Vector3()
    measured = idyntree.VectorDynSize(helper.getNrOfSensorsMeasurements())
    for vector in (positions, velocities, spin, measured):
        vector.zero()
    frame = model.getFrameIndex("Pelvis")
    for _ in sys.stdin:
        start = time.perf_counter()
        solver.updateEstimateInformationFloatingBase(
            positions, velocities, frame, spin, measured
        )
        if not solver.doEstimate():
            return
        sys.stdout.write(f"{time.perf_counter() - start}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(sys.argv[1])
