// Sends what the headset tracks and shows what the robot sees; what it means is decided
// elsewhere. Until somebody wears it, the page only looks on: it may stop and hold.
import {packFrame, sourcesOf} from "./frame.js";
import {Eyes, Pictures, now} from "./eyes.js";

const BACKLOG = 20000;  // bytes that may wait: beyond that frames are left out
const AGAIN = 1000;  // [ms] between two tries to connect
const WORDS_PERIOD = 500;  // [ms] between two looks at the picture's age
const SEEN = 1.0;  // [s] a picture this new counts as seen

const at = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));
let socket = null;
let session = null;
let eyes = null;
let sequence = 0;
let told = {state: "connecting", notice: "", line: ""};

function say(text) {
  at("state").textContent = text;
}

function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) {
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }
}

function tell(event) {
  send({event});
}

function shown(picture) {
  if (picture.captured) pictures.way = now() - picture.captured;
  send({
    shown: picture.number, got: picture.got, decoded: picture.decoded, drawn: now(),
  });
}

const pictures = new Pictures((picture) => {
  if (session) return;  // drawn in its frames
  const canvas = at("picture");
  const {bitmap, stereo} = picture;
  const width = stereo ? bitmap.width / 2 : bitmap.width;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.getContext("2d").drawImage(
    bitmap, 0, 0, width, bitmap.height, 0, 0, width, bitmap.height);
  canvas.hidden = false;
  shown(picture);
});

function connect(role) {
  if (!token) {
    say("open the whole address that telexist printed, with what follows the #");
    return;
  }
  const mine = new WebSocket(`wss://${location.host}/socket`);
  const before = socket;
  socket = mine;
  if (before) before.close();
  mine.binaryType = "arraybuffer";
  mine.onopen = () => mine.send(JSON.stringify({token, role}));
  mine.onmessage = (event) => {
    if (socket === mine) hear(event.data);
  };
  mine.onclose = (event) => {
    if (socket !== mine) return;
    at("enter").disabled = true;
    say(event.reason || "the connection was lost");
    const wearing = session;
    if (wearing && event.code === 1013) wearing.end().catch(() => {});
    if (event.code !== 1008) {
      setTimeout(() => {
        if (socket === mine) connect(session ? "headset" : "viewer");
      }, AGAIN);
    }
  };
}

function hear(data) {
  if (typeof data !== "string") {
    pictures.take(data);
    return;
  }
  const message = JSON.parse(data);
  if ("ping" in message) {
    send({pong: message.ping, now: now()});
  } else if ("pulse" in message) {
    pulse(message);
  } else if ("state" in message) {
    const lines = message.events || [];
    told = {
      state: message.state,
      notice: message.notice || "",
      line: lines.length ? lines[lines.length - 1] : told.line,
    };
    say(told.state);
    at("news").textContent = [told.notice, ...lines].filter(Boolean).join("\n");
    at("enter").disabled = !navigator.xr || session !== null;
    if (!navigator.xr) say(`${told.state} (this browser has no WebXR: it looks on)`);
    if (message.fault && eyes) eyes.glow([0.9, 0.1, 0.1], 1.0);
  }
}

// Bare hands have no motors: there the picture's frame glows.
function pulse({pulse: side, strength, ms}) {
  if (!session) return;
  const source = sourcesOf(session)[side];
  const pad = source && source.gamepad;
  const motor = pad && ((pad.hapticActuators && pad.hapticActuators[0]));
  if (motor && motor.pulse) {
    Promise.resolve(motor.pulse(strength, ms)).catch(() => {});
  } else if (pad && pad.vibrationActuator) {
    const effect = {duration: ms, strongMagnitude: strength, weakMagnitude: strength};
    pad.vibrationActuator.playEffect("dual-rumble", effect).catch(() => {});
  } else if (eyes) {
    eyes.glow([1, 0.5 + 0.5 * (1 - strength), 0], Math.max(ms / 1000, 0.1));
  }
}

async function start() {
  const seen = pictures.age < SEEN;
  const ar = await navigator.xr.isSessionSupported("immersive-ar").catch(() => false);
  const kind = ar && !seen ? "immersive-ar" : "immersive-vr";
  session = await navigator.xr.requestSession(kind, {
    requiredFeatures: ["local-floor"],
    optionalFeatures: ["hand-tracking"],
  });
  try {
    await wear(kind === "immersive-ar");
  } catch (error) {
    const begun = session;
    session = null;
    begun.end().catch(() => {});
    throw error;
  }
}

async function wear(passThrough) {
  const gl = document.createElement("canvas").getContext("webgl", {xrCompatible: true});
  await gl.makeXRCompatible();
  session.updateRenderState({baseLayer: new XRWebGLLayer(session, gl)});
  const rates = session.supportedFrameRates;
  if (rates && rates.length) {
    session.updateTargetFrameRate(Math.max(...rates)).catch(() => {});
  }
  const space = await session.requestReferenceSpace("local-floor");
  eyes = new Eyes(gl);
  at("enter").disabled = true;
  connect("headset");
  space.onreset = () => tell("recentred");
  session.onvisibilitychange = () => {
    if (session.visibilityState === "visible-blurred") tell("blurred");
    if (session.visibilityState === "hidden") tell("hidden");
  };
  session.onend = () => {
    tell("ended");
    session = null;
    eyes = null;
    say("the session has ended");
    setTimeout(() => connect("viewer"), 100);
  };
  const draw = (time, frame) => {
    if (!session) return;
    session.requestAnimationFrame(draw);
    transmit(time, frame, space);
    gl.bindFramebuffer(gl.FRAMEBUFFER, session.renderState.baseLayer.framebuffer);
    gl.clearColor(0, 0, 0, passThrough ? 0 : 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const fresh = eyes.draw(session, frame, space, pictures, words());
    if (fresh) shown(fresh);
  };
  session.requestAnimationFrame(draw);
}

function transmit(time, frame, space) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return;
  if (socket.bufferedAmount > BACKLOG) return;
  socket.send(packFrame(session, time, frame, space, ++sequence));
}

function age() {
  if (!pictures.newest) return "";
  if (pictures.stale) return `picture ${pictures.age.toFixed(1)} s old`;
  return `picture ${Math.round(1000 * pictures.way)} ms after it was taken`;
}

let ageText = "";
setInterval(() => {
  ageText = age();
  at("age").textContent = ageText;
  at("picture").classList.toggle("stale", pictures.stale);
}, WORDS_PERIOD);

function words() {
  const state = [told.state, ageText].filter(Boolean).join("    ");
  return [state, told.notice || told.line].join("\n");
}

at("enter").onclick = () => start().catch((error) => say(`cannot start: ${error.message}`));
at("stop").onclick = () => tell("stop");
at("hold").onclick = () => tell("hold");
connect("viewer");
