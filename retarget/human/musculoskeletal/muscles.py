"""The muscles of one side of a body, as wires with via-points.

A table of our own, after any atlas: where muscles begin, what they pass and where they
end, to a finger's breadth. Broad muscles are several strands side by side. Where
several muscles share a tendon, they meet in a branch: a link of its own that nothing
but its wires holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["BRANCHES", "MUSCLES", "TENDONS", "Muscle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Muscle:
    """A muscle or tendon.

    Attributes:
        name: Of the muscle.
        strands: Number of wires side by side.
        path: Points as in `body_points.py`, or names of `BRANCHES`.
    """

    name: str
    strands: int
    path: tuple[str, ...]


BRANCHES: Mapping[str, str] = MappingProxyType(
    {
        "Patella": "LowerLeg -.03 .030 0",
        "Achilles": "LowerLeg .75 -.022 0",
        "ToeExtensors": "LowerLeg .9 .018 0",
        "BicepsTendon": "UpperArm .85 .018 0",
        "TricepsTendon": "UpperArm .85 -.018 0",
        "FingerTendons": "ForeArm .85 .010 -.004",
        "BackAponeurosis": "L5 .5 -.045 .012",
    }
)
"""Where muscles meet, and where that is in N-pose."""


def _read(text: str) -> tuple[Muscle, ...]:
    """Read lines of `name, strands: point; point; ...`."""
    muscles = []
    for line in text.strip().splitlines():
        head, _, path = line.partition(":")
        name, _, strands = head.rpartition(",")
        points = tuple(point.strip() for point in path.split(";"))
        muscles.append(Muscle(name=name.strip(), strands=int(strands), path=points))
    return tuple(muscles)


MUSCLES = _read(
    """
    gluteus maximus, 5: Pelvis .6 -.045 .030; Pelvis -.1 -.045 .045; UpperLeg .25 -.015 .020
    gluteus medius, 4: Pelvis .9 .000 .060; UpperLeg .05 -.005 .035
    gluteus minimus, 2: Pelvis .6 .010 .055; UpperLeg .05 .005 .032
    tensor fasciae latae, 2: Pelvis .7 .035 .060; UpperLeg .3 .005 .040; LowerLeg .02 .010 .025
    psoas, 3: L3 .2 -.005 .015; Pelvis .2 .035 .030; UpperLeg .12 .000 .005
    iliacus, 2: Pelvis .8 .010 .050; Pelvis .1 .035 .035; UpperLeg .12 .000 .005
    pectineus, 2: Pelvis -.1 .035 .020; UpperLeg .15 .000 .010
    adductor longus, 2: Pelvis -.2 .030 .010; UpperLeg .45 -.003 .005
    adductor magnus, 3: Pelvis -.4 -.015 .015; UpperLeg .6 -.005 .002
    gracilis, 1: Pelvis -.3 .015 .008; LowerLeg -.02 -.010 -.020; LowerLeg .1 .010 -.015
    piriformis, 2: Pelvis .3 -.045 .010; UpperLeg .02 -.010 .025
    obturator, 2: Pelvis -.2 .000 .020; UpperLeg .03 -.012 .022
    sartorius, 1: Pelvis .7 .045 .055; UpperLeg .6 .020 -.015; LowerLeg .1 .012 -.015
    rectus femoris, 2: Pelvis .3 .040 .045; UpperLeg .4 .035 .005; Patella
    vastus lateralis, 4: UpperLeg .15 .010 .025; UpperLeg .6 .022 .022; Patella
    vastus medialis, 3: UpperLeg .25 .010 -.005; UpperLeg .7 .022 -.018; Patella
    vastus intermedius, 2: UpperLeg .3 .015 .005; UpperLeg .7 .028 .002; Patella
    biceps femoris long, 2: Pelvis -.4 -.035 .020; UpperLeg .9 -.020 .015; LowerLeg .06 -.012 .022
    biceps femoris short, 2: UpperLeg .5 -.010 .008; LowerLeg .06 -.012 .022
    semitendinosus, 2: Pelvis -.4 -.038 .015; UpperLeg .95 -.022 -.012; LowerLeg .1 .008 -.015
    semimembranosus, 2: Pelvis -.4 -.030 .018; UpperLeg .95 -.020 -.014; LowerLeg .04 -.010 -.016
    popliteus, 1: UpperLeg .97 -.005 .020; LowerLeg .12 -.008 -.008
    gastrocnemius lateral, 2: UpperLeg .96 -.016 .014; LowerLeg .3 -.030 .010; Achilles
    gastrocnemius medial, 2: UpperLeg .96 -.016 -.014; LowerLeg .3 -.030 -.010; Achilles
    soleus, 4: LowerLeg .2 -.012 .005; LowerLeg .5 -.028 .002; Achilles
    tibialis posterior, 2: LowerLeg .3 -.008 .000; LowerLeg .97 -.012 -.016; Foot .4 .000 -.010
    tibialis anterior, 2: LowerLeg .2 .014 .010; LowerLeg .95 .018 -.005; Foot .45 .004 -.012
    peroneus longus, 2: LowerLeg .15 .000 .018; LowerLeg .98 -.010 .016; Foot .5 .000 .010
    peroneus brevis, 2: LowerLeg .5 .000 .016; LowerLeg .98 -.008 .016; Foot .6 .002 .014
    extensor digitorum longus, 2: LowerLeg .2 .010 .014; LowerLeg .6 .016 .008; ToeExtensors
    extensor hallucis longus, 2: LowerLeg .4 .012 .006; ToeExtensors
    flexor digitorum longus, 2: LowerLeg .4 -.010 -.008; LowerLeg .97 -.014 -.014; Foot .5 -.004 -.004; Toe .6 .000 .000
    flexor hallucis longus, 2: LowerLeg .5 -.012 .006; LowerLeg .97 -.018 -.010; Toe .7 .000 -.010
    pectoralis major, 5: T8 .2 .055 .012; T8 .8 .050 .050; UpperArm .2 .012 -.006
    pectoralis minor, 2: T8 .3 .050 .035; Shoulder .9 .020 .000
    latissimus dorsi, 4: L3 .3 -.050 .010; T8 .2 -.040 .075; UpperArm .12 .008 -.010
    teres major, 2: T8 .4 -.050 .060; UpperArm .14 .006 -.010
    trapezius upper, 2: Head .1 -.035 .010; Neck .1 -.025 .030; Shoulder .9 -.005 .000
    trapezius lower, 3: T8 .2 -.055 .003; T8 .8 -.050 .030; Shoulder .7 -.020 .000
    rhomboid, 2: T8 .7 -.055 .003; Shoulder .4 -.040 .000
    levator scapulae, 2: Neck .5 -.015 .008; Shoulder .3 -.030 .000
    serratus anterior, 3: T8 .2 .020 .075; T8 .5 -.030 .070; Shoulder .5 -.045 .000
    deltoid front, 2: Shoulder .8 .020 .000; UpperArm .1 .028 .008; UpperArm .45 .004 .014
    deltoid middle, 2: Shoulder 1 .000 .010; UpperArm .1 .000 .030; UpperArm .45 .000 .016
    deltoid back, 2: Shoulder .8 -.030 .000; UpperArm .1 -.026 .008; UpperArm .45 -.004 .014
    supraspinatus, 1: Shoulder .6 -.030 .000; UpperArm .02 .000 .016
    infraspinatus, 2: Shoulder .6 -.050 .000; UpperArm .04 -.014 .012
    subscapularis, 2: Shoulder .6 -.015 .000; UpperArm .04 .014 -.006
    coracobrachialis, 1: Shoulder .85 .022 .000; UpperArm .5 .004 -.006
    biceps long, 2: Shoulder .95 .012 .000; UpperArm .1 .016 .006; BicepsTendon
    biceps short, 2: Shoulder .85 .022 .000; UpperArm .3 .018 -.004; BicepsTendon
    brachialis, 2: UpperArm .5 .010 .000; UpperArm .95 .016 .000; ForeArm .1 .006 .000
    triceps long, 2: Shoulder .85 -.022 .000; UpperArm .4 -.018 .000; TricepsTendon
    triceps lateral, 2: UpperArm .25 -.012 .008; TricepsTendon
    triceps medial, 2: UpperArm .4 -.012 -.004; TricepsTendon
    brachioradialis, 1: UpperArm .75 .006 .012; ForeArm .2 .018 .010; ForeArm .95 .010 .004
    pronator teres, 1: UpperArm .95 .006 -.014; ForeArm .4 .008 .006
    wrist extensors, 2: UpperArm .95 -.004 .016; ForeArm .5 -.008 .012; Hand .2 -.006 .006
    wrist flexors, 2: UpperArm .97 .004 -.016; ForeArm .5 .010 -.010; Hand .2 .008 -.006
    finger flexors, 3: UpperArm .97 .004 -.016; ForeArm .4 .010 -.010; FingerTendons
    sternocleidomastoid, 2: T8 .95 .045 .008; Head .15 -.010 .035
    scalenes, 2: Neck .6 .004 .012; T8 .95 .020 .030
    splenius, 2: T8 .9 -.040 .004; Neck .5 -.028 .012; Head .1 -.030 .025
    rectus abdominis, 2: Pelvis -.1 .040 .010; L3 .5 .065 .020; T8 .1 .060 .025
    external oblique, 3: Pelvis .9 .030 .060; L3 .5 .030 .075; T8 .1 .020 .075
    internal oblique, 2: Pelvis .9 .000 .065; L3 .5 .040 .070; T8 .1 .050 .040
    quadratus lumborum, 2: Pelvis 1 -.035 .045; L3 .5 -.030 .030; T12 .8 -.035 .030
    erector longissimus, 3: BackAponeurosis; L3 .5 -.050 .018; T12 .5 -.052 .018; T8 .5 -.050 .018
    erector iliocostalis, 3: BackAponeurosis; T12 .3 -.050 .040; T8 .3 -.045 .045
    multifidus, 2: BackAponeurosis; L3 .8 -.045 .006; T12 .5 -.045 .005
    """  # noqa: E501
)
"""What can contract."""

TENDONS = _read(
    """
    patellar ligament, 2: Patella; LowerLeg .1 .020 0
    achilles tendon, 2: Achilles; Foot -.2 -.035 0
    toe extensor tendons, 2: ToeExtensors; Foot .5 .006 .002; Toe .5 .002 .004
    biceps tendon, 2: BicepsTendon; ForeArm .12 .008 .004
    triceps tendon, 2: TricepsTendon; ForeArm -.04 -.016 0
    finger tendons, 3: FingerTendons; Hand .1 .006 -.002; Hand .8 .004 0
    back aponeurosis, 2: BackAponeurosis; Pelvis .6 -.050 .015
    """
)
"""What joins a branch to a bone and does not stretch."""
