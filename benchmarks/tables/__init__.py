"""Tables of results, and the machine they were made on."""

from telexist.benchmarks.tables.in_turn import Times, log_log_exponent, time_in_turn
from telexist.benchmarks.tables.machine import describe_machine
from telexist.benchmarks.tables.results_file import print_table, write_json

__all__ = [
    "Times",
    "describe_machine",
    "log_log_exponent",
    "print_table",
    "time_in_turn",
    "write_json",
]
