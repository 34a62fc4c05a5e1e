import PlimsollDomain
import PlimsollJSON

/// What a device asks for.
package enum DeviceQuestion: String, CaseIterable, Sendable {
    case restore
    case updates
}

/// What a device is answered, before tokens are made: with 200, whatever becomes of each app.
package struct DeviceAnswer: Equatable, Sendable {
    package let question: DeviceQuestion
    package let offers: [PackageOffer]
    package let failures: [Failed]
    /// Of each app of which nothing is said, why the newest version is not for the device.
    package let hindrances: [FailureReason?]

    /// An app of which nothing is offered, and why.
    package struct Failed: Equatable, Sendable {
        package let app: DeviceRequest.App
        package let reason: FailureReason
    }

    package init(_ question: DeviceQuestion, _ request: DeviceRequest, in storefront: Storefront) {
        self.question = question
        var (offers, failures): ([PackageOffer], [Failed]) = ([], [])
        var hindrances: [FailureReason?] = []
        for app in question == .restore ? request.apps : request.installed {
            let outcome =
                switch question {
                case .restore: storefront.restore(app.item, app.version, to: request.device)
                case .updates:
                    storefront.update(app.item, installed: app.version, on: request.device)
                }
            switch outcome {
            case .offered(let offer): offers.append(offer)
            case .failed(let reason): failures.append(Failed(app: app, reason: reason))
            case .current:
                hindrances.append(
                    storefront.hindrance(app.item, installed: app.version, on: request.device)
                )
            }
        }
        (self.offers, self.failures, self.hindrances) = (offers, failures, hindrances)
    }
}

extension DeviceAnswer {
    /// The answer with a token for each app that is offered, in their order, made anew for it.
    package func bytes(_ tokens: [[UInt8]]) -> [UInt8] {
        let length = zip(offers, tokens).reduce(160 * failures.count + 32) { length, part in
            length + part.0.length + part.1.count
        }
        var writer = CanonicalWriter(capacity: length)
        writer.literal(#"{"failures":["#)
        for (place, failure) in failures.enumerated() {
            if place > 0 { writer.literal(",") }
            failure.write(to: &writer)
        }
        writer.literal(question == .restore ? #"],"restores":["# : #"],"updates":["#)
        for (place, (offer, token)) in zip(offers, tokens).enumerated() {
            if place > 0 { writer.literal(",") }
            offer.write(question, token: token, to: &writer)
        }
        writer.literal("]}")
        return writer.bytes
    }
}

extension DeviceAnswer.Failed {
    fileprivate func write(to writer: inout CanonicalWriter) {
        writer.literal(#"{"appleItemId":""#)
        writer.literal(app.item.text)
        writer.literal(#"","appleVersionId":""#)
        writer.literal(app.version?.text ?? "0")
        writer.literal(#"","failure":{"code":404,"description":"#)
        writer.string(reason.sentence)
        writer.literal("}}")
    }
}

extension FailureReason {
    /// What the device is told.
    package var sentence: String {
        switch self {
        case .unlisted: "This app is not sold here."
        case .withdrawn: "This version was withdrawn."
        case .notOffered: "This version is not offered."
        case .platformMissing: "There is no package for this platform."
        case .systemTooOld: "This version needs a newer system."
        }
    }
}
