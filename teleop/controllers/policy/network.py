"""A learned network: numbers in, numbers out, checked both ways."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadPolicy, MissingDependency
from telexist.retarget.so3 import Array

__all__ = ["Network"]

MAX_BYTES = 2_000_000_000  # no ONNX file can have more
SILENT = 4  # the log level of onnxruntime at which only fatal trouble is printed
INTEGERS = ("tensor(int64)", "tensor(int32)")
FLOAT = "tensor(float)"


class Network:
    """An ONNX file with one vector in and one vector out.

    Attributes:
        path: The file.
        inputs: Numbers that it takes; None if it takes any.
        outputs: Numbers that it gives; None if the file does not say.
        metadata: What was written into the file by who exported it.
    """

    def __init__(self, path: Path) -> None:
        """Load a file.

        Raises:
            MissingDependency: Without onnxruntime.
            BadPolicy: If it is no ONNX, truncated, or takes more than an observation.
        """
        self.path = path
        self._session = _session(path)
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1:
            names = ", ".join(f"{i.name} {i.shape}" for i in inputs)
            problem = f"takes {names}: one vector of observations is supported"
            raise BadPolicy(path, problem)
        if inputs[0].type != FLOAT:
            problem = f"takes {inputs[0].type}, not {FLOAT}"
            raise BadPolicy(path, problem, place=inputs[0].name)
        self._name, self._output = inputs[0].name, outputs[0].name
        self.inputs = _last_size(inputs[0].shape, path, inputs[0].name)
        self.outputs = _last_size(outputs[0].shape, path, outputs[0].name)
        self.metadata: Mapping[str, str] = dict(
            self._session.get_modelmeta().custom_metadata_map
        )

    def run(self, observation: Array) -> Array:
        """Return the answer (k,) to an observation (m,).

        Raises:
            BadPolicy: If it gives none, or one that is not finite.
        """
        given = np.asarray(observation, dtype=np.float32)[None]
        try:
            answer = self._session.run([self._output], {self._name: given})[0]
        except Exception as error:  # onnxruntime has a type for each of its states
            raise BadPolicy(self.path, f"does not run: {_line(error)}") from error
        values = np.asarray(answer, dtype=np.float64).ravel()
        if not np.isfinite(values).all():
            bad = int(np.argmin(np.isfinite(values)))
            problem = f"output {bad} is {values[bad]}"
            raise BadPolicy(self.path, problem)
        return values


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingDependency(
            "onnxruntime, which runs policies", 'pip install "telexist[policies]"'
        ) from error
    try:
        size = path.stat().st_size
    except OSError as error:
        raise BadPolicy(path, error.strerror or str(error)) from error
    if not 0 < size < MAX_BYTES:
        raise BadPolicy(path, f"has {size} bytes: no ONNX file")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = SILENT
    # One thread: these networks are small, and the loop must not wait for others.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime has a type for each of its states
        raise BadPolicy(path, f"onnxruntime refuses it: {_line(error)}") from error


def _last_size(shape: list[Any], path: Path, name: str) -> int | None:
    """Return the size of a vector with a batch of one before it."""
    if not 1 <= len(shape) <= 2:
        raise BadPolicy(path, f"has the shape {shape}; expected [1, n]", place=name)
    if len(shape) == 2 and isinstance(shape[0], int) and shape[0] != 1:
        raise BadPolicy(path, f"has a batch of {shape[0]}; expected 1", place=name)
    return shape[-1] if isinstance(shape[-1], int) else None


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]
