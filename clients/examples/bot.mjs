// Plays the first legal move, on Node 22 or later: `node bot.mjs http://127.0.0.1:8080 ROOM`.

const [url, room] = process.argv.slice(2);
const socket = new WebSocket(url.replace("http", "ws") + "/ws?room=" + room, "fourfold.v1+json");
const say = (message) => socket.send(JSON.stringify(message));
socket.onopen = () => [{type: "hello", name: "First move"}, {type: "join", room}].forEach(say);
socket.onmessage = ({data}) => {
  const {type, seq, legal} = JSON.parse(data);
  if (type === "turn") say({type: "move", room, move: legal[0], seq, key: `${seq}`});
};
