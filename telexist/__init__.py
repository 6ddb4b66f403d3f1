"""Be a humanoid robot: human motion to any robot, live or from recordings."""

from pathlib import Path

__all__ = ["__version__"]

__version__ = "0.2.0"

_CHECKOUT = Path(__file__).resolve().parents[1]
if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "retarget").is_dir():
    __path__.append(str(_CHECKOUT))  # the folders lie beside this one, not inside
