extension ShareState {
    /// Writes the reader-dependent members of a share record (reference B §9.6, §9.9). Managers see all participants and
    /// requesters; a guest sees the owner and their own entry; a member also sees the other members' names.
    ///
    /// - Parameter reader: the reader's own entry; nil for a reader without an entry.
    package func writeMembers(for reader: Participant?, to writer: inout JSONWriter) {
        writer.member("publicPermission", publicPermission.rawValue)
        writer.key("participants")
        writer.array {
            for participant in participants where isVisible(participant, to: reader) {
                participant.write(to: &$0, showsLookup: showsLookup(of: participant, to: reader))
            }
        }
        writer.key("owner")
        owner.write(to: &writer, showsLookup: reader?.seesOwnerAddress == true)
        if let reader {
            writer.key("currentUserParticipant")
            reader.write(to: &writer)
        }
        if reader?.isManager == true { writeManaged(to: &writer) }
    }

    private func isVisible(_ participant: Participant, to reader: Participant?) -> Bool {
        if participant.type == .owner || participant.id.isExactly(reader?.id) { return true }
        guard let reader, reader.status == .accepted else { return false }
        if reader.isManager { return true }
        return reader.type != .publicUser && participant.type != .publicUser && participant.status == .accepted
    }

    private func showsLookup(of participant: Participant, to reader: Participant?) -> Bool {
        guard let reader else { return false }
        return reader.isManager || participant.id.isExactly(reader.id)
            || participant.type == .owner && reader.seesOwnerAddress
    }

    private func writeManaged(to writer: inout JSONWriter) {
        writer.member("denyAccessRequests", deniesAccessRequests)
        writer.key("requesters")
        writer.array {
            for requester in requesters {
                $0.object {
                    $0.key("requesterInformation")
                    requester.write(to: &$0)
                }
            }
        }
        writer.key("blocked")
        writer.array {
            for user in blocked {
                $0.object {
                    $0.key("requesterInformation")
                    $0.object { $0.member("userRecordName", user) }
                }
            }
        }
        let linked = participants.filter { $0.link != nil }
        guard !linked.isEmpty else { return }
        writer.key("oneTimeStableUrlInfo")
        writer.object {
            $0.key("oneTimeLinks")
            $0.array {
                for participant in linked {
                    $0.object {
                        $0.key("participantId")
                        $0.array { $0.string(participant.id) }
                        $0.member("sharingLink", participant.link)
                    }
                }
            }
        }
    }
}
