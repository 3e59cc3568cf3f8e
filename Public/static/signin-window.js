// Tells the sign-in page that waits in another window what came of it, and closes.
const news = document.getElementById("news");
const channel = new BroadcastChannel(`cumulus-signin-${news.dataset.channel}`);
channel.postMessage(news.value);
channel.close();
window.close();
