// The files of Public/static, by Scripts/list-public.sh.
#include "lists.h"

static const uint8_t static_about_js[] = {
#embed "../../Public/static/about.js"
};

static const uint8_t static_apple_touch_icon_png[] = {
#embed "../../Public/static/apple-touch-icon.png"
};

static const uint8_t static_bright_js[] = {
#embed "../../Public/static/bright.js"
};

static const uint8_t static_console_live_js[] = {
#embed "../../Public/static/console-live.js"
};

static const uint8_t static_console_css[] = {
#embed "../../Public/static/console.css"
};

static const uint8_t static_console_js[] = {
#embed "../../Public/static/console.js"
};

static const uint8_t static_cumulus_512_png[] = {
#embed "../../Public/static/cumulus-512.png"
};

static const uint8_t static_cumulus_css[] = {
#embed "../../Public/static/cumulus.css"
};

static const uint8_t static_cumulus_svg[] = {
#embed "../../Public/static/cumulus.svg"
};

static const uint8_t static_device_js[] = {
#embed "../../Public/static/device.js"
};

static const uint8_t static_film_js[] = {
#embed "../../Public/static/film.js"
};

static const uint8_t static_grid_keys_js[] = {
#embed "../../Public/static/grid-keys.js"
};

static const uint8_t static_handover_js[] = {
#embed "../../Public/static/handover.js"
};

static const uint8_t static_linked_js[] = {
#embed "../../Public/static/linked.js"
};

static const uint8_t static_live_js[] = {
#embed "../../Public/static/live.js"
};

static const uint8_t static_news_js[] = {
#embed "../../Public/static/news.js"
};

static const uint8_t static_palette_js[] = {
#embed "../../Public/static/palette.js"
};

static const uint8_t static_passkeys_js[] = {
#embed "../../Public/static/passkeys.js"
};

static const uint8_t static_photoswipe_LICENSE_txt[] = {
#embed "../../Public/static/photoswipe-LICENSE.txt"
};

static const uint8_t static_photoswipe_css[] = {
#embed "../../Public/static/photoswipe.css"
};

static const uint8_t static_photoswipe_esm_min_js[] = {
#embed "../../Public/static/photoswipe.esm.min.js"
};

static const uint8_t static_saving_js[] = {
#embed "../../Public/static/saving.js"
};

static const uint8_t static_share_grid_js[] = {
#embed "../../Public/static/share-grid.js"
};

static const uint8_t static_share_css[] = {
#embed "../../Public/static/share.css"
};

static const uint8_t static_share_js[] = {
#embed "../../Public/static/share.js"
};

static const uint8_t static_signin_window_js[] = {
#embed "../../Public/static/signin-window.js"
};

static const uint8_t static_signin_js[] = {
#embed "../../Public/static/signin.js"
};

static const uint8_t static_slideshow_js[] = {
#embed "../../Public/static/slideshow.js"
};

static const uint8_t static_viewer_css[] = {
#embed "../../Public/static/viewer.css"
};

static const uint8_t static_viewer_js[] = {
#embed "../../Public/static/viewer.js"
};

const cpublic_file cpublic_static[] = {
    {"static/about.js", static_about_js, sizeof static_about_js},
    {"static/apple-touch-icon.png", static_apple_touch_icon_png, sizeof static_apple_touch_icon_png},
    {"static/bright.js", static_bright_js, sizeof static_bright_js},
    {"static/console-live.js", static_console_live_js, sizeof static_console_live_js},
    {"static/console.css", static_console_css, sizeof static_console_css},
    {"static/console.js", static_console_js, sizeof static_console_js},
    {"static/cumulus-512.png", static_cumulus_512_png, sizeof static_cumulus_512_png},
    {"static/cumulus.css", static_cumulus_css, sizeof static_cumulus_css},
    {"static/cumulus.svg", static_cumulus_svg, sizeof static_cumulus_svg},
    {"static/device.js", static_device_js, sizeof static_device_js},
    {"static/film.js", static_film_js, sizeof static_film_js},
    {"static/grid-keys.js", static_grid_keys_js, sizeof static_grid_keys_js},
    {"static/handover.js", static_handover_js, sizeof static_handover_js},
    {"static/linked.js", static_linked_js, sizeof static_linked_js},
    {"static/live.js", static_live_js, sizeof static_live_js},
    {"static/news.js", static_news_js, sizeof static_news_js},
    {"static/palette.js", static_palette_js, sizeof static_palette_js},
    {"static/passkeys.js", static_passkeys_js, sizeof static_passkeys_js},
    {"static/photoswipe-LICENSE.txt", static_photoswipe_LICENSE_txt, sizeof static_photoswipe_LICENSE_txt},
    {"static/photoswipe.css", static_photoswipe_css, sizeof static_photoswipe_css},
    {"static/photoswipe.esm.min.js", static_photoswipe_esm_min_js, sizeof static_photoswipe_esm_min_js},
    {"static/saving.js", static_saving_js, sizeof static_saving_js},
    {"static/share-grid.js", static_share_grid_js, sizeof static_share_grid_js},
    {"static/share.css", static_share_css, sizeof static_share_css},
    {"static/share.js", static_share_js, sizeof static_share_js},
    {"static/signin-window.js", static_signin_window_js, sizeof static_signin_window_js},
    {"static/signin.js", static_signin_js, sizeof static_signin_js},
    {"static/slideshow.js", static_slideshow_js, sizeof static_slideshow_js},
    {"static/viewer.css", static_viewer_css, sizeof static_viewer_css},
    {"static/viewer.js", static_viewer_js, sizeof static_viewer_js},
    {NULL, NULL, 0},
};
