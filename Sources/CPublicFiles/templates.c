// The files of Public/templates, by Scripts/list-public.sh.
#include "lists.h"

static const uint8_t templates_account_delete_mustache[] = {
#embed "../../Public/templates/account-delete.mustache"
};

static const uint8_t templates_account_deleted_mustache[] = {
#embed "../../Public/templates/account-deleted.mustache"
};

static const uint8_t templates_account_passkeys_mustache[] = {
#embed "../../Public/templates/account-passkeys.mustache"
};

static const uint8_t templates_account_providers_mustache[] = {
#embed "../../Public/templates/account-providers.mustache"
};

static const uint8_t templates_account_mustache[] = {
#embed "../../Public/templates/account.mustache"
};

static const uint8_t templates_code_mustache[] = {
#embed "../../Public/templates/code.mustache"
};

static const uint8_t templates_console_act_as_mustache[] = {
#embed "../../Public/templates/console-act-as.mustache"
};

static const uint8_t templates_console_api_mustache[] = {
#embed "../../Public/templates/console-api.mustache"
};

static const uint8_t templates_console_code_mustache[] = {
#embed "../../Public/templates/console-code.mustache"
};

static const uint8_t templates_console_conflict_mustache[] = {
#embed "../../Public/templates/console-conflict.mustache"
};

static const uint8_t templates_console_control_mustache[] = {
#embed "../../Public/templates/console-control.mustache"
};

static const uint8_t templates_console_data_mustache[] = {
#embed "../../Public/templates/console-data.mustache"
};

static const uint8_t templates_console_deploy_mustache[] = {
#embed "../../Public/templates/console-deploy.mustache"
};

static const uint8_t templates_console_emulator_mustache[] = {
#embed "../../Public/templates/console-emulator.mustache"
};

static const uint8_t templates_console_field_mustache[] = {
#embed "../../Public/templates/console-field.mustache"
};

static const uint8_t templates_console_fields_mustache[] = {
#embed "../../Public/templates/console-fields.mustache"
};

static const uint8_t templates_console_file_mustache[] = {
#embed "../../Public/templates/console-file.mustache"
};

static const uint8_t templates_console_form_mustache[] = {
#embed "../../Public/templates/console-form.mustache"
};

static const uint8_t templates_console_guard_mustache[] = {
#embed "../../Public/templates/console-guard.mustache"
};

static const uint8_t templates_console_import_mustache[] = {
#embed "../../Public/templates/console-import.mustache"
};

static const uint8_t templates_console_inputs_mustache[] = {
#embed "../../Public/templates/console-inputs.mustache"
};

static const uint8_t templates_console_layout_mustache[] = {
#embed "../../Public/templates/console-layout.mustache"
};

static const uint8_t templates_console_live_mustache[] = {
#embed "../../Public/templates/console-live.mustache"
};

static const uint8_t templates_console_lone_mustache[] = {
#embed "../../Public/templates/console-lone.mustache"
};

static const uint8_t templates_console_overview_mustache[] = {
#embed "../../Public/templates/console-overview.mustache"
};

static const uint8_t templates_console_pairs_mustache[] = {
#embed "../../Public/templates/console-pairs.mustache"
};

static const uint8_t templates_console_query_mustache[] = {
#embed "../../Public/templates/console-query.mustache"
};

static const uint8_t templates_console_record_mustache[] = {
#embed "../../Public/templates/console-record.mustache"
};

static const uint8_t templates_console_recovery_mustache[] = {
#embed "../../Public/templates/console-recovery.mustache"
};

static const uint8_t templates_console_refusal_mustache[] = {
#embed "../../Public/templates/console-refusal.mustache"
};

static const uint8_t templates_console_request_mustache[] = {
#embed "../../Public/templates/console-request.mustache"
};

static const uint8_t templates_console_requests_mustache[] = {
#embed "../../Public/templates/console-requests.mustache"
};

static const uint8_t templates_console_schema_text_mustache[] = {
#embed "../../Public/templates/console-schema-text.mustache"
};

static const uint8_t templates_console_schema_mustache[] = {
#embed "../../Public/templates/console-schema.mustache"
};

static const uint8_t templates_console_sheet_mustache[] = {
#embed "../../Public/templates/console-sheet.mustache"
};

static const uint8_t templates_console_sheets_mustache[] = {
#embed "../../Public/templates/console-sheets.mustache"
};

static const uint8_t templates_console_signin_mustache[] = {
#embed "../../Public/templates/console-signin.mustache"
};

static const uint8_t templates_console_tabs_mustache[] = {
#embed "../../Public/templates/console-tabs.mustache"
};

static const uint8_t templates_console_trial_mustache[] = {
#embed "../../Public/templates/console-trial.mustache"
};

static const uint8_t templates_console_type_mustache[] = {
#embed "../../Public/templates/console-type.mustache"
};

static const uint8_t templates_console_with_mustache[] = {
#embed "../../Public/templates/console-with.mustache"
};

static const uint8_t templates_error_mustache[] = {
#embed "../../Public/templates/error.mustache"
};

static const uint8_t templates_forgot_mustache[] = {
#embed "../../Public/templates/forgot.mustache"
};

static const uint8_t templates_front_mustache[] = {
#embed "../../Public/templates/front.mustache"
};

static const uint8_t templates_handover_mustache[] = {
#embed "../../Public/templates/handover.mustache"
};

static const uint8_t templates_languages_mustache[] = {
#embed "../../Public/templates/languages.mustache"
};

static const uint8_t templates_layout_mustache[] = {
#embed "../../Public/templates/layout.mustache"
};

static const uint8_t templates_register_mustache[] = {
#embed "../../Public/templates/register.mustache"
};

static const uint8_t templates_share_choice_mustache[] = {
#embed "../../Public/templates/share-choice.mustache"
};

static const uint8_t templates_share_file_mustache[] = {
#embed "../../Public/templates/share-file.mustache"
};

static const uint8_t templates_share_invitation_mustache[] = {
#embed "../../Public/templates/share-invitation.mustache"
};

static const uint8_t templates_share_media_mustache[] = {
#embed "../../Public/templates/share-media.mustache"
};

static const uint8_t templates_share_name_mustache[] = {
#embed "../../Public/templates/share-name.mustache"
};

static const uint8_t templates_share_offer_mustache[] = {
#embed "../../Public/templates/share-offer.mustache"
};

static const uint8_t templates_share_password_mustache[] = {
#embed "../../Public/templates/share-password.mustache"
};

static const uint8_t templates_share_people_mustache[] = {
#embed "../../Public/templates/share-people.mustache"
};

static const uint8_t templates_share_photo_mustache[] = {
#embed "../../Public/templates/share-photo.mustache"
};

static const uint8_t templates_share_settings_mustache[] = {
#embed "../../Public/templates/share-settings.mustache"
};

static const uint8_t templates_share_sign_in_mustache[] = {
#embed "../../Public/templates/share-sign-in.mustache"
};

static const uint8_t templates_share_table_mustache[] = {
#embed "../../Public/templates/share-table.mustache"
};

static const uint8_t templates_share_mustache[] = {
#embed "../../Public/templates/share.mustache"
};

static const uint8_t templates_signin_connect_mustache[] = {
#embed "../../Public/templates/signin-connect.mustache"
};

static const uint8_t templates_signin_passkey_mustache[] = {
#embed "../../Public/templates/signin-passkey.mustache"
};

static const uint8_t templates_signin_providers_mustache[] = {
#embed "../../Public/templates/signin-providers.mustache"
};

static const uint8_t templates_signin_window_mustache[] = {
#embed "../../Public/templates/signin-window.mustache"
};

static const uint8_t templates_signin_mustache[] = {
#embed "../../Public/templates/signin.mustache"
};

static const uint8_t templates_signout_mustache[] = {
#embed "../../Public/templates/signout.mustache"
};

const cpublic_file cpublic_templates[] = {
    {"templates/account-delete.mustache", templates_account_delete_mustache, sizeof templates_account_delete_mustache},
    {"templates/account-deleted.mustache", templates_account_deleted_mustache, sizeof templates_account_deleted_mustache},
    {"templates/account-passkeys.mustache", templates_account_passkeys_mustache, sizeof templates_account_passkeys_mustache},
    {"templates/account-providers.mustache", templates_account_providers_mustache, sizeof templates_account_providers_mustache},
    {"templates/account.mustache", templates_account_mustache, sizeof templates_account_mustache},
    {"templates/code.mustache", templates_code_mustache, sizeof templates_code_mustache},
    {"templates/console-act-as.mustache", templates_console_act_as_mustache, sizeof templates_console_act_as_mustache},
    {"templates/console-api.mustache", templates_console_api_mustache, sizeof templates_console_api_mustache},
    {"templates/console-code.mustache", templates_console_code_mustache, sizeof templates_console_code_mustache},
    {"templates/console-conflict.mustache", templates_console_conflict_mustache, sizeof templates_console_conflict_mustache},
    {"templates/console-control.mustache", templates_console_control_mustache, sizeof templates_console_control_mustache},
    {"templates/console-data.mustache", templates_console_data_mustache, sizeof templates_console_data_mustache},
    {"templates/console-deploy.mustache", templates_console_deploy_mustache, sizeof templates_console_deploy_mustache},
    {"templates/console-emulator.mustache", templates_console_emulator_mustache, sizeof templates_console_emulator_mustache},
    {"templates/console-field.mustache", templates_console_field_mustache, sizeof templates_console_field_mustache},
    {"templates/console-fields.mustache", templates_console_fields_mustache, sizeof templates_console_fields_mustache},
    {"templates/console-file.mustache", templates_console_file_mustache, sizeof templates_console_file_mustache},
    {"templates/console-form.mustache", templates_console_form_mustache, sizeof templates_console_form_mustache},
    {"templates/console-guard.mustache", templates_console_guard_mustache, sizeof templates_console_guard_mustache},
    {"templates/console-import.mustache", templates_console_import_mustache, sizeof templates_console_import_mustache},
    {"templates/console-inputs.mustache", templates_console_inputs_mustache, sizeof templates_console_inputs_mustache},
    {"templates/console-layout.mustache", templates_console_layout_mustache, sizeof templates_console_layout_mustache},
    {"templates/console-live.mustache", templates_console_live_mustache, sizeof templates_console_live_mustache},
    {"templates/console-lone.mustache", templates_console_lone_mustache, sizeof templates_console_lone_mustache},
    {"templates/console-overview.mustache", templates_console_overview_mustache, sizeof templates_console_overview_mustache},
    {"templates/console-pairs.mustache", templates_console_pairs_mustache, sizeof templates_console_pairs_mustache},
    {"templates/console-query.mustache", templates_console_query_mustache, sizeof templates_console_query_mustache},
    {"templates/console-record.mustache", templates_console_record_mustache, sizeof templates_console_record_mustache},
    {"templates/console-recovery.mustache", templates_console_recovery_mustache, sizeof templates_console_recovery_mustache},
    {"templates/console-refusal.mustache", templates_console_refusal_mustache, sizeof templates_console_refusal_mustache},
    {"templates/console-request.mustache", templates_console_request_mustache, sizeof templates_console_request_mustache},
    {"templates/console-requests.mustache", templates_console_requests_mustache, sizeof templates_console_requests_mustache},
    {"templates/console-schema-text.mustache", templates_console_schema_text_mustache, sizeof templates_console_schema_text_mustache},
    {"templates/console-schema.mustache", templates_console_schema_mustache, sizeof templates_console_schema_mustache},
    {"templates/console-sheet.mustache", templates_console_sheet_mustache, sizeof templates_console_sheet_mustache},
    {"templates/console-sheets.mustache", templates_console_sheets_mustache, sizeof templates_console_sheets_mustache},
    {"templates/console-signin.mustache", templates_console_signin_mustache, sizeof templates_console_signin_mustache},
    {"templates/console-tabs.mustache", templates_console_tabs_mustache, sizeof templates_console_tabs_mustache},
    {"templates/console-trial.mustache", templates_console_trial_mustache, sizeof templates_console_trial_mustache},
    {"templates/console-type.mustache", templates_console_type_mustache, sizeof templates_console_type_mustache},
    {"templates/console-with.mustache", templates_console_with_mustache, sizeof templates_console_with_mustache},
    {"templates/error.mustache", templates_error_mustache, sizeof templates_error_mustache},
    {"templates/forgot.mustache", templates_forgot_mustache, sizeof templates_forgot_mustache},
    {"templates/front.mustache", templates_front_mustache, sizeof templates_front_mustache},
    {"templates/handover.mustache", templates_handover_mustache, sizeof templates_handover_mustache},
    {"templates/languages.mustache", templates_languages_mustache, sizeof templates_languages_mustache},
    {"templates/layout.mustache", templates_layout_mustache, sizeof templates_layout_mustache},
    {"templates/register.mustache", templates_register_mustache, sizeof templates_register_mustache},
    {"templates/share-choice.mustache", templates_share_choice_mustache, sizeof templates_share_choice_mustache},
    {"templates/share-file.mustache", templates_share_file_mustache, sizeof templates_share_file_mustache},
    {"templates/share-invitation.mustache", templates_share_invitation_mustache, sizeof templates_share_invitation_mustache},
    {"templates/share-media.mustache", templates_share_media_mustache, sizeof templates_share_media_mustache},
    {"templates/share-name.mustache", templates_share_name_mustache, sizeof templates_share_name_mustache},
    {"templates/share-offer.mustache", templates_share_offer_mustache, sizeof templates_share_offer_mustache},
    {"templates/share-password.mustache", templates_share_password_mustache, sizeof templates_share_password_mustache},
    {"templates/share-people.mustache", templates_share_people_mustache, sizeof templates_share_people_mustache},
    {"templates/share-photo.mustache", templates_share_photo_mustache, sizeof templates_share_photo_mustache},
    {"templates/share-settings.mustache", templates_share_settings_mustache, sizeof templates_share_settings_mustache},
    {"templates/share-sign-in.mustache", templates_share_sign_in_mustache, sizeof templates_share_sign_in_mustache},
    {"templates/share-table.mustache", templates_share_table_mustache, sizeof templates_share_table_mustache},
    {"templates/share.mustache", templates_share_mustache, sizeof templates_share_mustache},
    {"templates/signin-connect.mustache", templates_signin_connect_mustache, sizeof templates_signin_connect_mustache},
    {"templates/signin-passkey.mustache", templates_signin_passkey_mustache, sizeof templates_signin_passkey_mustache},
    {"templates/signin-providers.mustache", templates_signin_providers_mustache, sizeof templates_signin_providers_mustache},
    {"templates/signin-window.mustache", templates_signin_window_mustache, sizeof templates_signin_window_mustache},
    {"templates/signin.mustache", templates_signin_mustache, sizeof templates_signin_mustache},
    {"templates/signout.mustache", templates_signout_mustache, sizeof templates_signout_mustache},
    {NULL, NULL, 0},
};
