"""Quadratic programs: stated once, solved by whichever solver is asked for.

A `QpProblem` goes in; its solution comes out. The engine needs none of this at run
time; its witnesses and the whole-body controller do.
"""

from telexist.retarget.qp.polish import polish
from telexist.retarget.qp.problem import LeastSquares, QpProblem
from telexist.retarget.qp.solver import SOLVERS, make_solver

__all__ = ["LeastSquares", "QpProblem", "SOLVERS", "make_solver", "polish"]
