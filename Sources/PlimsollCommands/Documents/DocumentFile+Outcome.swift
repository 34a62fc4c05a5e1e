import PlimsollDocuments
import PlimsollDomain

extension DocumentFile {
    /// What apps of a generation show who find the file as it is, and have no other.
    func outcome(on device: Device, by generation: ClientGeneration) throws -> DeviceOutcome {
        let found = PublishedDocument(reading: bytes, platform: device.platform)
        guard let unread = found.unread(by: [generation]).first else {
            return document.decision(on: device, by: generation)
        }
        return DeviceOutcome(
            verdict: .available,
            shownTitle: nil,
            shownDescription: nil,
            because: "\(generation.sentenceName) refuses the document, because \(unread.reasons);"
                + " it keeps its last one, and without any the app runs",
            keepsLastDocument: true
        )
    }
}
