From: cloud@example.com
To: `touch${IFS}x`@example.com
Subject: Your code
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
Auto-Submitted: auto-generated

Your code is 58157489

Enter it at http://localhost
within 30 minutes, where you asked for an account. If that was not you,
do nothing: without the code nobody can use your address.
