package import CloudPages

/// The page types of the console.
package enum ConsolePages {
    package static let all: [any WebPage.Type] = [
        ConsoleSignIn.View.self, ConsoleCode.View.self, ConsoleCode.RecoveryView.self, ConsoleProvider.View.self,
        ConsolePage<OverviewView.Content>.self, ConsolePage<SheetsContent>.self,
        ConsolePage<DataView.Content>.self, ConsolePage<RecordPage.Content>.self,
        ConsolePage<RecordConflict.Content>.self, ConsolePage<ReplacementView.Content>.self,
        ConsolePage<ImportView.Content>.self, ConsolePage<APIView.Content>.self, ConsolePage<NewTypeView.Content>.self,
        ConsolePage<RefusalPage.Content>.self,
        ConsolePage<SchemaView.Content>.self, ConsolePage<SchemaTextView.Content>.self,
        ConsolePage<DeployView.Content>.self,
        ConsolePage<RequestsPage.Content>.self, ConsolePage<RequestView.Content>.self,
        ConsolePage<ActAsView.Content>.self, ConsolePage<EmulatorContent>.self,
    ]
}
