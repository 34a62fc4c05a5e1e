import ArgumentParser
import PlimsollDomain

/// `plimsoll offers add`: one more offer.
struct AddOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Propose one more offer.",
        discussion: """
            An offer with requirements comes in front of all, one without them last, unless --at \
            says where.

            Examples:
              plimsoll offers add --platform ios --required 3.2 --os 17 --title "17 needs 3.2"
              plimsoll offers add --platform android --last 320 --metadata hard=true \\
                --title "Offer 320" --dry-run
            """
    )

    @OptionGroup var offer: OfferOptions
    @Option(help: "The place, from 0; what stands there or behind it moves back by one.")
    var at: Int?
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let offer = try offer.offer(on: edit.platform)
        let at = try at.map { try place($0, "--at") }
        return try await edit.propose(output) { offers in
            .insert(offer, at: at ?? (offer.requirements.isEmpty ? offers.count : 0))
        }
    }
}

/// `plimsoll offers replace`: another offer in the place of one.
struct ReplaceOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Propose another offer in the place of one.",
        discussion: """
            Nothing of the old one is kept.

            For example:
              plimsoll offers replace 0 --platform ios --required 3.3 --os 17 --title "17 needs 3.3"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @OptionGroup var offer: OfferOptions
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (place, offer) = (try place(number, "The place"), try offer.offer(on: edit.platform))
        return try await edit.propose(output) { _ in .replace(place, with: offer) }
    }
}

/// `plimsoll offers move`: an offer elsewhere in the order.
struct MoveOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Propose another place for an offer.",
        discussion: """
            For example:
              plimsoll offers move 2 --to 0 --platform ios --title "Ask for the region first"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @Option(help: "Where it is to stand afterwards, from 0.")
    var to: Int
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (from, to) = (try place(number, "The place"), try place(to, "--to"))
        return try await edit.propose(output) { _ in .move(from: from, to: to) }
    }
}

/// `plimsoll offers remove`: an offer less.
struct RemoveOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Propose to remove an offer.",
        discussion: """
            Without any, offers are derived from thresholds and releases again.

            For example:
              plimsoll offers remove 1 --platform ios --title "3.1 is offered no more"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let place = try place(number, "The place")
        return try await edit.propose(output) { _ in .remove(place) }
    }
}

private func place(_ number: Int, _ what: String) throws -> Int {
    guard number >= 0 else { throw ValidationError("\(what) is \(number); places begin with 0.") }
    return number
}
