"use strict";
// Reads what the headset tracks and sends it; what it means is decided elsewhere.

const SIDES = ["left", "right"];
const TRACKED = {left: 2, right: 4};
const JOINTS = {left: 8, right: 16};
const VISIBLE = 32;
const THERE = {left: 64, right: 128};
const HEADER = 52;
const SIDE_BYTES = 80;
const HAND_BYTES = 300;
const BACKLOG = 20000;  // bytes that may wait: beyond that frames are left out

const state = document.getElementById("state");
const enter = document.getElementById("enter");
let socket = null;
let session = null;
let sequence = 0;

function say(text) {
  state.textContent = text;
}

function tell(event) {
  if (socket && socket.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify({event}));
  }
}

function connect() {
  const token = decodeURIComponent(location.hash.slice(1));
  if (!token) {
    say("open the whole address that telexist printed, with what follows the #");
    return;
  }
  socket = new WebSocket(`wss://${location.host}/socket`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => socket.send(JSON.stringify({token}));
  socket.onmessage = () => {
    say("connected");
    enter.disabled = !navigator.xr;
    if (!navigator.xr) say("connected, but this browser has no WebXR");
  };
  socket.onclose = (event) => {
    enter.disabled = true;
    say(event.reason || "the connection was lost");
    if (event.code !== 1008) setTimeout(connect, 1000);
  };
}

async function start() {
  const ar = await navigator.xr.isSessionSupported("immersive-ar").catch(() => false);
  session = await navigator.xr.requestSession(ar ? "immersive-ar" : "immersive-vr", {
    requiredFeatures: ["local-floor"],
    optionalFeatures: ["hand-tracking"],
  });
  const gl = document.createElement("canvas").getContext("webgl", {xrCompatible: true});
  await gl.makeXRCompatible();
  session.updateRenderState({baseLayer: new XRWebGLLayer(session, gl)});
  const rates = session.supportedFrameRates;
  if (rates && rates.length) {
    session.updateTargetFrameRate(Math.max(...rates)).catch(() => {});
  }
  const space = await session.requestReferenceSpace("local-floor");
  space.onreset = () => tell("recentred");
  session.onvisibilitychange = () => {
    if (session.visibilityState === "visible-blurred") tell("blurred");
    if (session.visibilityState === "hidden") tell("hidden");
  };
  session.onend = () => {
    session = null;
    tell("ended");
    say("the session has ended");
  };
  const draw = (time, frame) => {
    if (!session) return;
    session.requestAnimationFrame(draw);
    gl.bindFramebuffer(gl.FRAMEBUFFER, session.renderState.baseLayer.framebuffer);
    gl.clearColor(0, 0, 0, ar ? 0 : 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    send(time, frame, space);
  };
  session.requestAnimationFrame(draw);
}

function send(time, frame, space) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return;
  if (socket.bufferedAmount > BACKLOG) return;
  const sources = {};
  for (const source of session.inputSources) {
    if (SIDES.includes(source.handedness) && (source.gripSpace || source.hand)) {
      sources[source.handedness] = source;
    }
  }
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
  view.setUint32(4, ++sequence, true);
  view.setFloat64(8, (frame.predictedDisplayTime || time) / 1000, true);
  view.setFloat64(16, performance.now() / 1000, true);
  socket.send(view.buffer);
}

enter.onclick = () => start().catch((error) => say(`cannot start: ${error.message}`));
connect();
