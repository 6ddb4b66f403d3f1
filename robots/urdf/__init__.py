"""URDF files of strangers, read with suspicion: links, joints, shapes, meshes.

A file goes in; a tree of links and joints comes out, with what was mended.
"""

from telexist.robots.urdf.clean_urdf import (
    clean_urdf,
    fixed_joint,
    moving_joint,
    write_origin,
)
from telexist.robots.urdf.find_mesh import find_mesh
from telexist.robots.urdf.inertia_repair import give_mass, repair_inertia
from telexist.robots.urdf.link_hulls import LinkHulls, link_hulls
from telexist.robots.urdf.link_triangles import link_triangles
from telexist.robots.urdf.meshes import (
    LinkShape,
    collision_shapes,
    missing_meshes,
    visual_shapes,
)
from telexist.robots.urdf.read_mesh import mesh_points
from telexist.robots.urdf.read_urdf import parse_urdf, read_urdf
from telexist.robots.urdf.toml_text import TomlValue, toml_text
from telexist.robots.urdf.urdf import (
    Joint,
    JointKind,
    JointLimits,
    MimicRule,
    Pose,
    Urdf,
)

__all__ = [
    "Joint",
    "JointKind",
    "JointLimits",
    "LinkHulls",
    "LinkShape",
    "MimicRule",
    "Pose",
    "TomlValue",
    "Urdf",
    "clean_urdf",
    "collision_shapes",
    "find_mesh",
    "fixed_joint",
    "give_mass",
    "link_hulls",
    "link_triangles",
    "mesh_points",
    "missing_meshes",
    "moving_joint",
    "parse_urdf",
    "read_urdf",
    "repair_inertia",
    "toml_text",
    "visual_shapes",
    "write_origin",
]
