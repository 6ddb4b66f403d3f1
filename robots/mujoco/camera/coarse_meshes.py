"""Meshes with fewer faces: what a picture of a few hundred pixels can show.

Without a GPU most of a picture's time goes to the corners of faces that are smaller
than a pixel. Corners in one cell of a grid become one; faces without extent, and those
that are there twice, go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["coarsen_meshes"]

MOST_FACES = 2500  # of one mesh
FINEST = 0.002  # [m] of a cell: about two pixels at arm's length
COARSER = 1.4  # times, until the faces are few enough


def coarsen_meshes(model: Any) -> None:
    """Leave out faces of a compiled model, before anything draws it.

    Args:
        model: An `mujoco.MjModel`; only what is drawn of it changes.
    """
    for mesh in range(model.nmesh):
        count = int(model.mesh_facenum[mesh])
        first = int(model.mesh_faceadr[mesh])
        begin = int(model.mesh_vertadr[mesh])
        vertices = model.mesh_vert[begin : begin + model.mesh_vertnum[mesh]]
        faces = np.array(model.mesh_face[first : first + count])
        kept, cell = np.arange(count), FINEST
        coarse = faces
        while len(kept) > MOST_FACES:
            coarse, kept = _coarse(vertices, faces, cell)
            cell *= COARSER
        here, there = slice(first, first + len(kept)), first + kept
        model.mesh_face[here] = coarse
        model.mesh_facenormal[here] = model.mesh_facenormal[there]
        if model.mesh_texcoordadr[mesh] >= 0:
            model.mesh_facetexcoord[here] = model.mesh_facetexcoord[there]
        model.mesh_facenum[mesh] = len(kept)


def _coarse(
    vertices: np.ndarray, faces: np.ndarray, cell: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return faces (k, 3) whose corners are one to a cell, and which they were (k,)."""
    cells = np.floor(vertices / cell).astype(np.int64)
    _, chosen, of = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    coarse = chosen[of.reshape(-1)][faces]
    a, b, c = coarse.T
    whole = np.flatnonzero((a != b) & (b != c) & (c != a))
    _, once = np.unique(np.sort(coarse[whole], axis=1), axis=0, return_index=True)
    kept = whole[np.sort(once)]
    return coarse[kept], kept
