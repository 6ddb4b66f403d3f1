"""Which marker sits where on the body, from its name.

Laboratories write the same place in many ways: `LASI`, `L.ASIS`, `L_IAS`, `l_asis`. A
name loses the subject before a colon, dots and dashes; then its side, then the rest is
looked up. Plug-in Gait, OpenCap and its kin, the sets of Leardini and of CAST, of the
ISB and of OpenSim's examples are known; what is not, a TOML says:

```toml
[markers]                       # place = "name in the file"
LeftAsis = "pelvis 3"
static = "standing.c3d"         # a standing trial of the same markers, beside the file
```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from telexist.retarget.errors import UnknownName

__all__ = ["PLACES", "check_places", "known_roles"]

_SIDED: Mapping[str, str] = MappingProxyType(
    {
        "Asis": "ASI ASIS IAS FWT",
        "Psis": "PSI PSIS IPS BWT",
        "HipCenter": "FEP HJC",
        "KneeCenter": "FEO KJC",
        "AnkleCenter": "TIO AJC",
        "Trochanter": "FTC GT GTR GTROC TROC",
        "KneeLateral": "KNE KNEE FLE LFC LEPI LATKNEE KNEELAT LKNE LE LFE LKNEE KNEL",
        "KneeMedial": "KNM MKNEE FME MFC KNEEMED MEDKNEE MEPI MKNE KNEM ME KNI",
        "AnkleLateral": "ANK ANKLE FAL LMAL LATANKLE ANKLELAT LM LANK ANKL LANKLE MAL",
        "AnkleMedial": "MMAL MANK MANKLE TAM ANKM MEDANKLE ANKLEMED MM MED ANI",
        "Heel": "HEE HEEL CAL CALC FCC CA HEL",
        "Toe": "TOE MT2 FM2 SM D2M 2META MT23",
        "Metatarsal1": "MT1 FM1 FM P1MT MTP1 D1M 1META 1MTP",
        "Metatarsal5": "MT5 FM5 VM P5MT MTP5 D5M 5META 5MTP",
        "Shoulder": "SHO SHOULDER SH ACR SAE ACRO ACROMION AC SHLD",
        "Clavicle": "CLAVICLE CLA STERNUM",
        "ElbowLateral": "ELB ELBOW HLE LEL ELBOWLAT LELB ELBL EL LELBOW",
        "ElbowMedial": "ELBM HME MEL ELBOWMED MELB ELM EM MELBOW",
        "WristRadial": "WRA RSP WRISTRADIUS FARADIUS RS WRISTLAT RAD",
        "WristUlnar": "WRB UHE WRISTULNA FAULNA US WRISTMED ULN",
        "Wrist": "WRIST WR WRI",
        "HandEnd": "FIN HM2 HAND HND MC3 M3",
        "Forehead": "FHD HEADFRONT FHEAD",
        "Backhead": "BHD HEADBACK BHEAD",
    }
)
_MIDDLE: Mapping[str, str] = MappingProxyType(
    {
        "Sacrum": "SACR SACRUM S2 SAC S1 MPSI",
        "C7": "C7 CV7",
        "T10": "T10 TV10 T8 T7 TV8 T12",
        "Manubrium": "CLAV SJN IJ MAN MANUBRIUM CLAVICLE JN SUP",
        "Xiphoid": "STRN SXS XIPH XP STERNUM PX STRX",
        "HeadTop": "HEAD HEADTOP TOPHEAD VERTEX",
    }
)
_CLUSTERS: Mapping[str, str] = MappingProxyType(
    {
        "Thigh": r"TH(?:I|IGH)?[A-Z]{0,3}\d*|T[HL]A[PD]|THL[PD]|QUAD\d*|UL\d+|HF",
        "Shank": r"(?:TIB|TB|SHANK|SHN|SK)[A-Z]{0,6}\d*|SH\d+|TIA[PD]|TILAT|FAX|TTC|TT",
        "UpperArm": r"(?:UPA|ARM|UA|HUMERUS|BICEPS|UARM)\d*",
        "ForeArm": r"(?:FRM|FRA|FOREARM|FASUPERIOR|FA|FARM|UOA)\d*",
        "HandSide": r"HM5|OUT|MC5",
        "FootSide": r"MF[SL]|FOOT\d*",
    }
)
_TRUNK = {"SRS", "SIA", "SAA", "BAK", "BACK", "SCAP", "SCA"}

PLACES: tuple[str, ...] = (
    *_MIDDLE,
    *(f"{side}{part}" for side in ("Left", "Right") for part in _SIDED),
    *(
        f"{side}{part}{k}"
        for side in ("Left", "Right")
        for part in (*_CLUSTERS, "Trunk")
        for k in ("", *map(str, range(2, 8)))
    ),
)
"""Every place a marker can have; of clusters, up to seven markers."""

_LOOK_UP = {
    **{(True, key): name for name, keys in _SIDED.items() for key in keys.split()},
    **{(False, key): name for name, keys in _MIDDLE.items() for key in keys.split()},
}


def check_places(markers: Mapping[str, str]) -> None:
    """Refuse places that do not exist.

    Raises:
        UnknownName: Naming the nearest one.
    """
    for place in markers:
        if place not in PLACES:
            raise UnknownName("place of a marker", place, PLACES)


def known_roles(
    names: Iterable[str], stated: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return place to marker name, for the markers whose names are understood.

    Args:
        names: Of all points.
        stated: Place to marker name, as the user says; they come first.
    """
    names = list(names)
    roles: dict[str, str] = dict(stated or {})
    taken = set(roles.values())
    bones = bones_of_other_programs(names)
    for name in sorted(names, key=lambda name: (name not in bones, name)):
        if name in taken:
            continue
        place = _place(name)
        if name in bones and (place is None or not place.endswith("Center")):
            continue
        if place is None:
            continue
        if place.endswith("*"):
            place = next(
                (
                    free
                    for k in range(1, 8)
                    if (free := place[:-1] + (str(k) if k > 1 else "")) not in roles
                ),
                "",
            )
        if place and place not in roles:
            roles[place] = name
    return roles


def _place(name: str) -> str | None:
    """Return the place of a marker; of a cluster it ends in a star."""
    key = re.sub(r"[^A-Z0-9]", "", name.rpartition(":")[2].upper())
    if (False, key) in _LOOK_UP:
        return _LOOK_UP[False, key]
    sided = _sides(name, key)
    for side, rest in sided:
        if (True, rest) in _LOOK_UP:
            return side + _LOOK_UP[True, rest]
        if rest in _TRUNK:
            return f"{side}Trunk*"
    for side, rest in sided:
        for part, pattern in _CLUSTERS.items():
            if re.fullmatch(pattern, rest):
                return f"{side}{part}*"
    return None


def _sides(name: str, key: str) -> list[tuple[str, str]]:
    """Return what side the name may mean and the rest of it, likeliest first.

    A letter at the end says a side only where something sets it apart: `ASIS_L`.
    """
    found = []
    for side in ("Left", "Right"):
        for word in (side.upper(), side[0]):
            if key.startswith(word) and len(key) > len(word):
                found.append((side, key[len(word) :]))
        apart = re.search(rf"[^A-Za-z0-9]({side}|{side[0]})$|{side}$", name, re.I)
        if apart and len(key) > len(side):
            last = key[: -len(side)] if key.endswith(side.upper()) else key[:-1]
            found.append((side, last))
    return found


def bones_of_other_programs(names: Iterable[str]) -> set[str]:
    """Return points that are the axes of a bone: origin, anterior, left, proximal."""
    names = set(names)
    return {
        name
        for name in names
        if len(name) == 4
        and name[-1] in "OALP"
        and all(name[:3] + letter in names for letter in "OALP")
    }
