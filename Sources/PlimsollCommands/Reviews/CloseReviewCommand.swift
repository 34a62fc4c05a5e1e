import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll reviews close`: whether what was done was right.
struct CloseReviewCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a review, and say what you found.",
        discussion: """
            Nobody closes a review of what they did themselves, or of somebody who let them in. \
            Whoever objects says to what.

            Examples:
              plimsoll reviews close 57 --verdict confirmed --comment "The crash was real"
              plimsoll reviews close 57 --verdict objected --comment "3.1.9 was fine; propose it"
            """
    )

    @Argument(help: "The event that ordered it, as plimsoll reviews lists it.")
    var position: Position
    @Option(help: "confirmed or objected.")
    var verdict: ReviewVerdict.Outcome
    @Option(help: "Words that are kept with it; needed to object.")
    var comment: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if verdict == .objected, comment == nil {
            throw ValidationError("Whoever objects says to what: --comment.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let comment = try comment.map { text in
            do throws(TextFault) {
                return try Reason(validating: text)
            } catch {
                throw ValidationError("--comment: \(error.sentence)")
            }
        }
        let form = ReviewForm(verdict: ReviewVerdict(verdict, comment: comment))
        return try await service.withClient { client in
            let review = try await submission.write { options in
                try await client.closeReview(position, form, options)
            }
            let people = await output.people(client)
            output.show(review.report(people, dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }
}

extension ReviewVerdict.Outcome: ExpressibleByArgument {}
