// One frame of what the headset tracks, as bytes: see wire.py.

export const SIDES = ["left", "right"];
const TRACKED = {left: 2, right: 4};
const JOINTS = {left: 8, right: 16};
const VISIBLE = 32;
const THERE = {left: 64, right: 128};
const HEADER = 52;
const SIDE_BYTES = 80;
const HAND_BYTES = 300;

export function sourcesOf(session) {
  const sources = {};
  for (const source of session.inputSources) {
    if (SIDES.includes(source.handedness) && (source.gripSpace || source.hand)) {
      sources[source.handedness] = source;
    }
  }
  return sources;
}

export function packFrame(session, time, frame, space, sequence) {
  const sources = sourcesOf(session);
  const points = {};
  for (const side of SIDES) {
    const hand = sources[side] && sources[side].hand;
    if (!hand) continue;
    const matrices = new Float32Array(16 * hand.size);
    if (hand.size === 25 && frame.fillPoses(hand.values(), space, matrices)) {
      points[side] = matrices;
    }
  }
  const hands = SIDES.filter((side) => points[side]).length;
  const view = new DataView(
    new ArrayBuffer(HEADER + 2 * SIDE_BYTES + HAND_BYTES * hands));
  let bits = session.visibilityState === "visible" ? VISIBLE : 0;
  const put = (at, values) => {
    values.forEach((value, k) => view.setFloat32(at + 4 * k, value, true));
  };
  const putPose = (at, pose) => {
    const seen = pose && !pose.emulatedPosition;
    const {position: p, orientation: q} = seen ? pose.transform : new XRRigidTransform();
    put(at, [p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
    return seen;
  };
  if (putPose(24, frame.getViewerPose(space))) bits |= 1;
  SIDES.forEach((side, k) => {
    const at = HEADER + k * SIDE_BYTES;
    const source = sources[side];
    let pose = null;
    if (points[side]) {
      pose = frame.getJointPose(source.hand.get("wrist"), space);
    } else if (source && source.gripSpace) {
      pose = frame.getPose(source.gripSpace, space);
    }
    if (putPose(at, pose)) bits |= TRACKED[side];
    if (source) bits |= THERE[side];
    const pad = source && source.gamepad;
    if (!pad) return;
    put(at + 28, pad.axes.slice(0, 4));
    put(at + 44, pad.buttons.slice(0, 8).map((button) => button.value));
    const down = pad.buttons.slice(0, 8)
      .reduce((sum, button, n) => sum | (button.pressed ? 1 << n : 0), 0);
    view.setUint32(at + 76, down, true);
  });
  let at = HEADER + 2 * SIDE_BYTES;
  for (const side of SIDES) {
    if (!points[side]) continue;
    bits |= JOINTS[side];
    for (let k = 0; k < 25; k++) {
      put(at, points[side].subarray(16 * k + 12, 16 * k + 15));
      at += 12;
    }
  }
  view.setUint8(0, 1);
  view.setUint8(1, 1);
  view.setUint16(2, bits, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, (frame.predictedDisplayTime || time) / 1000, true);
  view.setFloat64(16, performance.now() / 1000, true);
  return view.buffer;
}
