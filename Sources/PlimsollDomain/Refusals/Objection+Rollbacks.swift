/// Objections to points of the past, and to going back there.
extension Objection {
    package static func eventUnknown(_ position: Position, head: Position) -> Objection {
        Objection(
            .unknown,
            "There is no event \(position); the log goes from 1 to \(head).",
            remedy: "Look into the history to see what there is."
        )
    }

    package static func snapshotUnknown(_ sequence: SnapshotSequence, _ slug: AppSlug) -> Objection
    {
        Objection(
            .unknown,
            "There is no snapshot \(sequence) of the app \(slug).",
            remedy: "Ask GET /v1/snapshots?app=… which there are.",
            subject: .moment
        )
    }

    package static func targetAhead(_ target: Position, head: Position) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "There is no event \(target); the log ends at \(head).",
            remedy: "Choose an event from the history.",
            subject: .moment
        )
    }

    package static func targetBeforeApp(_ slug: AppSlug) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "The app \(slug) did not exist yet at that point.",
            remedy: "Choose a later point of the app's history.",
            subject: .moment
        )
    }

    package static func timeAhead(_ time: Instant, now: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "\(time) has not come yet; it is \(now) now.",
            remedy: "Name a time that has passed; what is live needs none.",
            subject: .moment
        )
    }

    package static func changeNeverApplied(_ id: ChangeID) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "Change \(id) was never applied.",
            remedy: "Choose an applied change, an event or a time.",
            subject: .moment
        )
    }

    package static func neverLiveSoLong(_ slug: AppSlug, _ seconds: Int64) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "No approved state of the app \(slug) was live for \(seconds) seconds.",
            remedy:
                "Choose a shorter time, an event, or a change; of an emergency name the change.",
            subject: .moment
        )
    }

    package static func documentEmptied(_ platform: Platform) -> Objection {
        Objection(
            .invalid,
            at: "/to",
            "There was nothing yet in the document for \(platform.rawValue) at that point.",
            remedy:
                "Choose a later point, or leave that platform out. Where it is to hold nobody back,"
                + " clear its thresholds and its offers in an emergency; where only a value is"
                + " wrong, roll back that field.",
            subject: .moment
        )
    }

    package static var platformsAndFields: Objection {
        Objection(
            .invalid,
            at: "/platforms",
            "Fields say their platforms themselves.",
            remedy: "Leave out the platforms."
        )
    }

    package static func targetDiffers(seen: Position, now: Position) -> Objection {
        Objection(
            .stale,
            at: "/target",
            "This leads to event \(now) by now; what you saw led to event \(seen).",
            remedy: "Look at a dry run again, and name the event that it leads to."
        )
    }

    /// A rollback takes back another number of other people's changes than was counted.
    package static func undoesOthers(_ changes: [ChangeID], counted: Int) -> Objection {
        Objection(
            .conflict,
            at: "/undoing",
            "This takes back \(changes.count) changes of others, not \(counted)"
                + (changes.isEmpty
                    ? "." : ": \(changes.map(\.description).joined(separator: ", "))."),
            remedy:
                "Revert only the change that did harm, or say that all go back: undoing"
                + " \(changes.count) (--undoing \(changes.count))."
        )
    }

    /// Others wrote a field after the change that is to be taken back.
    package static func overwritten(
        _ field: Field,
        _ write: FieldWrite?,
        _ id: ChangeID
    ) -> Objection {
        Objection(
            .conflict,
            at: "/to",
            "\(field) is not as change \(id) left it"
                + (write.map { ": it was written at position \($0.position) by \($0.actor)" } ?? "")
                + (write?.reason.map { " (\($0.text))." } ?? "."),
            remedy:
                "Keep it as it is with keep (--keep \(field)), or take it back all the same with a"
                + " rollback of it alone (plimsoll rollback --before-change \(id) --only \(field))."
        )
    }

    /// The change that is taken back did not write it.
    package static func notWritten(_ field: Field, _ id: ChangeID, at pointer: Pointer) -> Objection
    {
        Objection(
            .invalid,
            at: pointer,
            "Change \(id) did not write \(field).",
            remedy: "Leave it out."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let rollbackCommands: [String: NextCommand] = [
        "eventUnknown": .command("plimsoll history"),
        "targetAhead": .command("plimsoll history"),
        "targetBeforeApp": .command("plimsoll history"),
        "changeNeverApplied": .command("plimsoll changes --state applied"),
        "targetDiffers": .command("the same command again, which shows where it leads by now"),
        "undoesOthers": .command("the same command with --dry-run, which shows them"),
    ]
}
