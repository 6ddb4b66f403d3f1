// Draws the robot's picture where its camera looked, and a line of words below it.

const STALE = 0.5;  // [s] an older picture is grey
const DISTANCE = 2.0;  // [m] of a picture for both eyes alike
const PICTURE_HEAD = 20;  // [bytes]: see picture_wire.py
const REMEMBERED = 1.0;  // [s] of where the head looked
const WORDS = {width: 1024, height: 128, half: 0.5, down: -0.75};  // [px], [m]

const VERTEX = `
attribute vec2 corner; uniform mat4 place; uniform mat4 seen; uniform vec4 part;
varying vec2 at; varying vec2 edge;
void main() {
  edge = corner;
  at = part.xy + part.zw * (0.5 + vec2(0.5, -0.5) * corner);
  gl_Position = seen * place * vec4(corner, 0.0, 1.0);
}`;
const FRAGMENT = `
precision mediump float;
varying vec2 at; varying vec2 edge;
uniform sampler2D picture; uniform float stale; uniform vec4 glow;
void main() {
  vec3 colour = texture2D(picture, at).rgb;
  float grey = dot(colour, vec3(0.299, 0.587, 0.114));
  colour = mix(colour, vec3(0.5 * grey), stale);
  vec2 away = abs(edge);
  float rim = step(0.94, max(away.x, away.y));
  gl_FragColor = vec4(mix(colour, glow.rgb, rim * glow.a), 1.0);
}`;

export function now() {
  return performance.now() / 1000;
}

export function parsePicture(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength < PICTURE_HEAD || view.getUint8(0) !== 2) return null;
  return {
    stereo: view.getUint8(2) === 1,
    number: view.getUint32(4, true),
    captured: view.getFloat64(8, true),
    fovy: view.getFloat32(16, true),
    blob: new Blob([new Uint8Array(buffer, PICTURE_HEAD)], {type: "image/jpeg"}),
  };
}

// The newest picture: decoded one at a time, older ones are passed over.
export class Pictures {
  constructor(decoded) {
    this.newest = null;
    this.decoded = decoded;
    this.waiting = null;
    this.busy = false;
    this.way = 0;  // [s] from captured to drawn, of the newest
  }

  get age() {
    if (!this.newest) return Infinity;
    return now() - (this.newest.captured || this.newest.got);
  }

  get stale() {
    return this.age > STALE;
  }

  take(buffer) {
    const picture = parsePicture(buffer);
    if (!picture) return;
    picture.got = now();
    this.waiting = picture;
    if (!this.busy) this.decode();
  }

  async decode() {
    this.busy = true;
    while (this.waiting) {
      const picture = this.waiting;
      this.waiting = null;
      try {
        picture.bitmap = await createImageBitmap(picture.blob);
      } catch {
        continue;
      }
      picture.decoded = now();
      if (this.newest && this.newest.bitmap) this.newest.bitmap.close();
      this.newest = picture;
      this.decoded(picture);
    }
    this.busy = false;
  }
}

function shader(gl, kind, text) {
  const made = gl.createShader(kind);
  gl.shaderSource(made, text);
  gl.compileShader(made);
  if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) {
    throw new Error(gl.getShaderInfoLog(made));
  }
  return made;
}

function texture(gl) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
    gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  }
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  return made;
}

function product(a, b) {
  const made = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) {
        made[4 * column + row] += a[4 * k + row] * b[4 * column + k];
      }
    }
  }
  return made;
}

// A quad of half size (x, y) at (0, up, -distance) in axes turned by q, around p.
function placed(p, q, half, up, distance) {
  const turned = new XRRigidTransform({x: p.x, y: p.y, z: p.z, w: 1}, q).matrix;
  const size = new Float32Array(
    [half[0], 0, 0, 0, 0, half[1], 0, 0, 0, 0, 1, 0, 0, up, -distance, 1]);
  return product(turned, size);
}

// What is drawn in each eye.
export class Eyes {
  constructor(gl) {
    this.gl = gl;
    this.program = gl.createProgram();
    gl.attachShader(this.program, shader(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(this.program, shader(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(this.program);
    this.corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    const corners = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    this.picture = texture(gl);
    this.words = texture(gl);
    this.canvas = document.createElement("canvas");
    this.canvas.width = WORDS.width;
    this.canvas.height = WORDS.height;
    this.said = "";
    this.shown = null;
    this.looks = [];
    this.glowEnds = 0;
  }

  glow(colour, seconds) {
    this.colour = colour;
    this.glowEnds = now() + seconds;
  }

  // Returns the picture that is seen for the first time now, or null.
  draw(session, frame, space, pictures, words) {
    const viewer = frame.getViewerPose(space);
    const {gl} = this;
    if (!viewer) return null;
    this.remember(viewer);
    let fresh = null;
    const newest = pictures.newest;
    if (newest && newest !== this.shown) {
      gl.bindTexture(gl.TEXTURE_2D, this.picture);
      gl.texImage2D(
        gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, newest.bitmap);
      this.shown = fresh = newest;
    }
    this.write(words);
    gl.useProgram(this.program);
    gl.disable(gl.DEPTH_TEST);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    const corner = gl.getAttribLocation(this.program, "corner");
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    const layer = session.renderState.baseLayer;
    for (const view of viewer.views) {
      const port = layer.getViewport(view);
      gl.viewport(port.x, port.y, port.width, port.height);
      const seen = product(
        view.projectionMatrix, view.transform.inverse.matrix);
      if (this.shown) this.drawPicture(view, viewer, seen, pictures.stale);
      this.drawWords(viewer, seen);
    }
    return fresh;
  }

  drawPicture(view, viewer, seen, stale) {
    const {stereo, fovy, bitmap, captured} = this.shown;
    const half = DISTANCE * Math.tan(fovy / 2);
    const wide = stereo ? bitmap.width / 2 : bitmap.width;
    const left = stereo && view.eye === "right" ? 0.5 : 0;
    const part = [left, 0, stereo ? 0.5 : 1, 1];
    const p = (stereo ? view.transform : viewer.transform).position;
    const size = [half * wide / bitmap.height, half];
    const place = placed(p, this.lookedAt(captured), size, 0, DISTANCE);
    const glowing = now() < this.glowEnds;
    this.quad(this.picture, place, seen, part, stale ? 1 : 0,
      glowing ? [...this.colour, 1] : [0, 0, 0, 0]);
  }

  drawWords(viewer, seen) {
    const {position, orientation} = viewer.transform;
    const half = [WORDS.half, WORDS.half * WORDS.height / WORDS.width];
    const place = placed(position, orientation, half, WORDS.down, 0.9 * DISTANCE);
    this.quad(this.words, place, seen, [0, 0, 1, 1], 0, [0, 0, 0, 0]);
  }

  quad(which, place, seen, part, stale, glow) {
    const {gl, program} = this;
    gl.bindTexture(gl.TEXTURE_2D, which);
    const at = (name) => gl.getUniformLocation(program, name);
    gl.uniformMatrix4fv(at("place"), false, place);
    gl.uniformMatrix4fv(at("seen"), false, seen);
    gl.uniform4fv(at("part"), part);
    gl.uniform1f(at("stale"), stale);
    gl.uniform4fv(at("glow"), glow);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  write(words) {
    if (words === this.said) return;
    this.said = words;
    const {gl, canvas} = this;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#14171c";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#ffffff";
    pen.font = "40px sans-serif";
    words.split("\n").slice(0, 2).forEach((line, k) => {
      pen.fillText(line, 20, 50 + 56 * k, canvas.width - 40);
    });
    gl.bindTexture(gl.TEXTURE_2D, this.words);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
  }

  remember(viewer) {
    const time = now();
    this.looks.push({time, q: viewer.transform.orientation});
    while (time - this.looks[0].time > REMEMBERED) this.looks.shift();
  }

  // Where the head looked when a picture was captured: there it belongs.
  lookedAt(captured) {
    const looks = this.looks;
    let k = looks.length - 1;
    if (captured > 0) while (k > 0 && looks[k].time > captured) k -= 1;
    return looks[k].q;
  }
}
