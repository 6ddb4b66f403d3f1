"""Estimate what a recorded person's joints and contacts do, with its uncertainty.

CLIP is a recording: .c3d (with its plates), .trc, .bvh, .mvnx, .npz, or `builtin`.
The folder --out gets
  CLIP.dynamics.npz    torques, moments and wrenches over time, with their deviations
  CLIP.dynamics.json   what they come to: peaks, contacts, loads, scores
  CLIP.dynamics.png    the sheet to look at

Examples:
  telexist dynamics walk.c3d
  telexist dynamics walk.trc --forces walk_grf.mot --mass 62
  telexist dynamics dance.bvh --mass 70            # no force was measured at all
  telexist dynamics lift.c3d --hands               # something may be in the hands
  telexist dynamics chair.trc --forces chair.mot --seat

Plates are given to feet by where they were loaded; a foot on the ground without a
plate is estimated from the motion, and its deviation says so. Without --mass it is
taken from the file, or from the plates, or is 75 kg. A standing trial beside the
recording is found by its name (static, standing, cal, _ST), or named, as a C3D, a TRC
or a scaled OpenSim model, by `static = "..."` in a TOML beside the recording; its table
[markers] names markers that are not recognised.

Scores of ergonomics are of every moment: RULA, REBA, the compression of L5/S1, moments
as a share of strength, and, with --hands, the NIOSH lifting index of each lift that is
found. What they assume is in the report; --ergonomics changes it.

Moments are internal: of the muscles, as OpenSim counts them. A load in the hands is
trustworthy while the person is nearly still. No score is a verdict on a person, and
nothing here is medical advice. Exit code: 0 all done, 1 the recording, its forces or a
file of settings cannot be used, 2 an argument is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from telexist.launch_scripts.arguments import source_options
from telexist.launch_scripts.shell import OK, Parser, number
from telexist.launch_scripts.terminal import print_dynamics
from telexist.retarget.dynamics import (
    dynamics_of_recording,
    dynamics_report,
    read_person,
    save_dynamics,
    trust_of,
)
from telexist.retarget.ergonomics.scored import (
    ergonomic_arrays,
    ergonomics_lines,
    ergonomics_of_recording,
    ergonomics_report,
    load_ergonomics,
)
from telexist.retarget.pictures import save_figure
from telexist.retarget.pictures.body_dynamics import draw_dynamics_sheet
from telexist.teleop.batch import require_writable

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Estimate one recording; return the exit code."""
    parser = Parser("telexist dynamics", __doc__ or "")
    add = parser.add_argument
    add("clip", metavar="CLIP", help="a recording, or the word builtin")
    add("--forces", type=Path, metavar="FILE", help="ground forces: .mot, .sto or .c3d")
    add("--mass", type=number(5.0, 400.0), metavar="KG", help="of the body")
    add("--out", type=Path, default=Path("out"), metavar="DIR", help="default: out")
    add(
        "--cutoff",
        type=number(0.5, 100.0),
        default=6.0,
        metavar="HZ",
        help="low pass of the motion; default: 6",
    )
    add("--hands", action="store_true", help="the hands may hold something")
    add("--seat", action="store_true", help="something may carry the pelvis")
    add("--ergonomics", type=Path, metavar="FILE", help="what scores assume (TOML)")
    add("--source-config", type=Path, metavar="FILE", help="facts on the clip (TOML)")
    add("--no-pictures", action="store_true", help="leave the sheet out")
    args = parser.parse_args(argv)
    options = source_options(args.source_config)
    settings = load_ergonomics(args.ergonomics)
    require_writable(args.out)
    recorded = read_person(args.clip, forces=args.forces, options=options)
    for note in recorded.notes:
        print(f"  {note}", file=sys.stderr)
    result = dynamics_of_recording(
        recorded,
        mass=args.mass,
        cutoff=args.cutoff,
        trust=trust_of(hands=args.hands, seat=args.seat),
    )
    scores = ergonomics_of_recording(result, settings, hands=args.hands, seat=args.seat)
    judged = ergonomics_report(scores)
    paths = list(
        save_dynamics(
            args.out,
            result,
            more_arrays=ergonomic_arrays(scores),
            more_report={"ergonomics": judged},
        )
    )
    if not args.no_pictures:
        paths.append(args.out / f"{result.clip.name}.dynamics.png")
        save_figure(paths[-1], draw_dynamics_sheet(result, scores))
    print_dynamics(dynamics_report(result), ergonomics_lines(judged))
    print(*paths, sep="\n")
    return OK
