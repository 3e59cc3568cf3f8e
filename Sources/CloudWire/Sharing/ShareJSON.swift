import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore

extension JSONWriter {
    /// Writes a share for records/resolve and records/accept (reference B §9.6).
    ///
    /// - Parameters:
    ///   - record: the share record in display form.
    ///   - root: the root record in display form; nil if not requested.
    package mutating func share(
        _ share: ShareMetadata, _ record: RecordBody, _ request: ShareRequest, root: RecordBody?, in identity: Identity
    ) {
        object {
            $0.shortGUID(request)
            $0.member("containerIdentifier", identity.container.name)
            $0.member("environment", identity.environment.rawValue)
            $0.member("databaseScope", share.standing == .owner ? "PRIVATE" : "SHARED")
            $0.key("zoneID")
            share.zone.write(to: &$0)
            $0.key("share")
            $0.record(record)
            $0.member("rootRecordName", share.rootName)
            if let root {
                $0.key("rootRecord")
                $0.record(root)
            }
            $0.standing(share)
            $0.key("ownerIdentity")
            share.owner.identity.write(to: &$0, showsLookup: share.viewer?.seesOwnerAddress == true)
            $0.matches([])
        }
    }

    /// Writes the error for one share of the request (reference B §9.8).
    mutating func shareError(_ request: ShareRequest, _ error: ServerError, matches: [Participant]) {
        object {
            $0.shortGUID(request)
            $0.errorMembers(error)
            if !matches.isEmpty { $0.matches(matches) }
        }
    }

    private mutating func shortGUID(_ request: ShareRequest) {
        key("shortGUID")
        object {
            $0.member("value", request.handle)
            $0.member("shouldFetchRootRecord", request.fetchesRoot)
        }
    }

    private mutating func standing(_ share: ShareMetadata) {
        if case .open(let permission) = share.standing {
            member("participantType", ParticipantType.publicUser.rawValue)
            member("participantStatus", AcceptanceStatus.invited.rawValue)
            member("participantPermission", permission.rawValue)
        } else if let viewer = share.viewer {
            member("participantType", viewer.type.rawValue)
            member("participantStatus", viewer.status.rawValue)
            member("participantPermission", viewer.permission.rawValue)
        }
    }

    private mutating func matches(_ participants: [Participant]) {
        key("potentialMatchList")
        array {
            for participant in participants {
                $0.object {
                    $0.member("participantId", participant.id)
                    $0.key("contactInformation")
                    $0.object {
                        $0.member("emailAddress", participant.identity.lookup.email)
                        $0.member("phoneNumber", participant.identity.lookup.phone)
                    }
                }
            }
        }
    }
}
