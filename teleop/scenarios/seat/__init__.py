"""Standing up from a seat and sitting down: alone, or with a person at the hands.

Options go in; figures and a sheet of curves come out.
"""

from telexist.teleop.scenarios.seat.seat_figures import seat_figures
from telexist.teleop.scenarios.seat.seat_person import hands_way, let_a_person_help
from telexist.teleop.scenarios.seat.seat_run import SeatRun, run_seat
from telexist.teleop.scenarios.seat.seat_scenario import (
    SEATS,
    came_off,
    seat_scenario,
)

__all__ = [
    "SEATS",
    "SeatRun",
    "came_off",
    "hands_way",
    "let_a_person_help",
    "run_seat",
    "seat_figures",
    "seat_scenario",
]
