/// Objections to keys: those that sign what is published, those of the log and those of people.
extension Objection {
    package static func keyUnknown(_ id: KeyID) -> Objection {
        Objection(
            .unknown,
            "There is no key \(id).",
            remedy: "List the keys to see what there is."
        )
    }

    package static func keyDiffers(_ id: KeyID, seen: Position, current: Position) -> Objection {
        Objection(
            .stale,
            "Key \(id) is where event \(current) has brought it; what you saw was event \(seen).",
            remedy: "Read the key, and name the event that you have seen."
        )
    }

    package static func keyUnseen(_ id: KeyID, current: Position) -> Objection {
        Objection(
            .unseen,
            "Key \(id) is where event \(current) has brought it, and you do not say that you saw"
                + " it.",
            remedy: "Read the key, and name the event that you have seen."
        )
    }

    package static func keyExists(_ id: KeyID) -> Objection {
        Objection(
            .conflict,
            "There is this key already, as \(id).",
            remedy: "Activate that one, or add another."
        )
    }

    package static func keyCompromised(_ id: KeyID) -> Objection {
        Objection(
            .conflict,
            "Key \(id) is compromised, and will be for good.",
            remedy: "Add another key and activate it."
        )
    }

    package static func activeKeysFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "\(maximum) keys sign for the app \(slug), and there may be no more.",
            remedy: "Retire one of them first."
        )
    }

    /// Names the keys that could take its place.
    package static func lastActiveKey(_ id: KeyID, _ slug: AppSlug, standby: [KeyID]) -> Objection {
        Objection(
            .conflict,
            "Key \(id) is the only one that signs for the app \(slug); without it nothing could be"
                + " published.",
            remedy: standby.first.map {
                "First activate the key \($0), which waits; then do this again."
            }
                ?? "First add another key and activate it; then do this again."
        )
    }

    package static func signerUnusable(_ id: KeyID, reason: String) -> Objection {
        Objection(
            .conflict,
            "Key \(id) cannot sign here: \(reason).",
            remedy: "Mend that first; until it can sign, nothing could be published."
        )
    }

    package static func keyPlaceUnusable(reason: String, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "There is no key to be had: \(reason).",
            remedy: "Mend that, or have the service make a key of its own."
        )
    }

    package static func entryKeyUnknown(_ id: EntryKeyID) -> Objection {
        Objection(
            .unknown,
            "Entries of the log were never authenticated with key \(id).",
            remedy: "List the entry keys to see what there is."
        )
    }

    /// No other was added, or the instances may not all use it yet.
    package static func entryKeyInUse(_ id: EntryKeyID) -> Objection {
        Objection(
            .conflict,
            "Entries of the log are authenticated with key \(id), or were less than a minute ago.",
            remedy: "Add another entry key first, and wait a minute."
        )
    }

    package static func personKeyUnknown(_ key: PersonKey, of id: PrincipalID) -> Objection {
        Objection(
            .invalid,
            at: "/key",
            "Principal \(id) does not sign with \(key).",
            remedy: "List the keys to see what there is."
        )
    }

    /// It is or was somebody's, who may be the same.
    package static func personKeyKnown(_ key: PersonKey, of id: PrincipalID) -> Objection {
        Objection(
            .conflict,
            at: "/key",
            "The key \(key) is or was one of principal \(id)'s; none is added a second time.",
            remedy: "Make a new key: ssh-keygen -t ed25519."
        )
    }

    package static func personKeysFull(_ id: PrincipalID) -> Objection {
        Objection(
            .conflict,
            "Principal \(id) signs with \(PersonKey.countMaximum) keys already.",
            remedy: "Revoke a key that nobody signs with any more."
        )
    }

    /// The bytes are no key of its kind.
    package static var personKeyUnusable: Objection {
        Objection(
            .invalid,
            at: "/key",
            "The bytes of the key are none of its kind.",
            remedy: "Give the line that ssh-keygen wrote into the .pub file."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let keyCommands: [String: NextCommand] = [
        "keyUnknown": .command("plimsoll keys"),
        "keyDiffers": .command("plimsoll keys"),
        "keyUnseen": .command("plimsoll keys"),
        "keyCompromised": .command("plimsoll keys add --help"),
        "lastActiveKey": .command("plimsoll keys add --help"),
        "entryKeyUnknown": .command("plimsoll entry-keys"),
        "entryKeyInUse": .command("plimsoll entry-keys add --help"),
        "personKeyUnknown": .command("plimsoll identity list"),
        "personKeyKnown": .command("plimsoll identity list"),
        "personKeysFull": .command("plimsoll identity list"),
    ]
}
