// Tells the sign-in page that waits in another window what came of it, and closes once that page has heard, or soon.
const news = document.getElementById("news");
const channel = new BroadcastChannel(`cumulus-signin-${news.dataset.channel}`);
const leave = () => {
    channel.close();
    window.close();
};
channel.addEventListener("message", leave);
channel.postMessage(news.value);
setTimeout(leave, 2000);
