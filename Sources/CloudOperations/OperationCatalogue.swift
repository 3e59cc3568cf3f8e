/// All operations. The admin API serves each under its route.
package enum OperationCatalogue {
    package static let all: [AnyAdminOperation] =
        containers + credentials + people + operators + running + records + schemas

    private static let containers = [
        AnyAdminOperation(ContainerOperations.list), AnyAdminOperation(ContainerOperations.create),
        AnyAdminOperation(ContainerOperations.update), AnyAdminOperation(ContainerOperations.delete),
        AnyAdminOperation(ContainerOperations.usage), AnyAdminOperation(PageRuleOperations.list),
        AnyAdminOperation(PageRuleOperations.set), AnyAdminOperation(PageRuleOperations.remove),
    ]

    private static let credentials = [
        AnyAdminOperation(APITokenOperations.list), AnyAdminOperation(APITokenOperations.create),
        AnyAdminOperation(APITokenOperations.revoke), AnyAdminOperation(ServerKeyOperations.list),
        AnyAdminOperation(ServerKeyOperations.add), AnyAdminOperation(ServerKeyOperations.revoke),
        AnyAdminOperation(ManagementTokenOperations.list), AnyAdminOperation(ManagementTokenOperations.create),
        AnyAdminOperation(ManagementTokenOperations.made), AnyAdminOperation(ManagementTokenOperations.revoke),
    ]

    private static let people = [
        AnyAdminOperation(UserOperations.list), AnyAdminOperation(UserOperations.show),
        AnyAdminOperation(UserOperations.create),
        AnyAdminOperation(UserOperations.confirm), AnyAdminOperation(UserOperations.setAddress),
        AnyAdminOperation(UserOperations.disable),
        AnyAdminOperation(UserOperations.enable), AnyAdminOperation(UserOperations.setPassword),
        AnyAdminOperation(UserOperations.invite), AnyAdminOperation(UserOperations.mailReset),
        AnyAdminOperation(UsageOperations.show), AnyAdminOperation(DeletionOperations.preview),
        AnyAdminOperation(DeletionOperations.run), AnyAdminOperation(PersonExportOperation.run),
        AnyAdminOperation(SessionOperations.list), AnyAdminOperation(SessionOperations.create),
        AnyAdminOperation(SessionOperations.revoke), AnyAdminOperation(SessionOperations.revokeAll),
    ]

    private static let operators = [
        AnyAdminOperation(OperatorOperations.list), AnyAdminOperation(OperatorOperations.add),
        AnyAdminOperation(OperatorOperations.setRole), AnyAdminOperation(OperatorOperations.resetSecondFactor),
        AnyAdminOperation(OperatorOperations.remove),
        AnyAdminOperation(ProviderOperations.list), AnyAdminOperation(ProviderOperations.add),
        AnyAdminOperation(ProviderOperations.update), AnyAdminOperation(ProviderOperations.remove),
        AnyAdminOperation(ProviderOperations.test),
    ]

    private static let running = [
        AnyAdminOperation(WebhookOperations.list), AnyAdminOperation(WebhookOperations.add),
        AnyAdminOperation(WebhookOperations.remove), AnyAdminOperation(WebhookOperations.deadLetters),
        AnyAdminOperation(WebhookOperations.retry), AnyAdminOperation(WebhookOperations.clear),
        AnyAdminOperation(AuditOperations.list), AnyAdminOperation(SettingOperations.list),
        AnyAdminOperation(CheckOperations.run), AnyAdminOperation(BackupOperations.list),
        AnyAdminOperation(BackupOperations.create), AnyAdminOperation(BackupOperations.verify),
    ]

    private static let records = [
        AnyAdminOperation(RecordOperations.owners), AnyAdminOperation(RecordOperations.zones),
        AnyAdminOperation(RecordOperations.types), AnyAdminOperation(RecordOperations.list),
        AnyAdminOperation(RecordOperations.query), AnyAdminOperation(RecordOperations.show),
        AnyAdminOperation(RecordOperations.modify), AnyAdminOperation(RecordOperations.upload),
        AnyAdminOperation(RehearsalOperations.run),
        AnyAdminOperation(ShareOperations.list),
        AnyAdminOperation(ShareOperations.stop),
        AnyAdminOperation(SubscriptionOperations.list), AnyAdminOperation(SubscriptionOperations.test),
        AnyAdminOperation(SubscriptionOperations.devices), AnyAdminOperation(NotificationOperations.list),
        AnyAdminOperation(NotificationOperations.sendTest),
    ]

    private static let schemas = [
        AnyAdminOperation(SchemaOperations.export), AnyAdminOperation(SchemaOperations.importText),
        AnyAdminOperation(SchemaOperations.deploy), AnyAdminOperation(SchemaOperations.reset),
        AnyAdminOperation(SchemaOperations.builds),
        AnyAdminOperation(RoleOperations.list), AnyAdminOperation(RoleOperations.grant),
        AnyAdminOperation(RoleOperations.revoke),
    ]
}
