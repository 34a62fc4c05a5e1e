extension App {
    /// What the checks find in what operations would change, in the order of the checks.
    ///
    /// What was there before is not looked at again: a change answers for what it writes.
    package func findings(
        applying operations: [Operation],
        under policy: Policy,
        at now: Instant,
        by strictness: Strictness = .full,
        asking asked: Set<CheckName> = CheckName.all
    ) -> [CheckFinding] {
        let grounds = checkGrounds(under: policy, at: now, by: strictness)
        return CheckFinding.findings(in: operations, grounds, asking: asked) { document($0) }
    }

    /// What checks look at beside documents.
    package func checkGrounds(
        under policy: Policy,
        at now: Instant,
        by strictness: Strictness = .full
    ) -> CheckGrounds {
        CheckGrounds(
            releases: releases,
            distribution: distribution,
            shares: shares,
            settings: settings,
            policy: policy,
            now: now,
            strictness: strictness
        )
    }
}

/// What checks look at beside documents.
package struct CheckGrounds: Sendable {
    let releases: ReleaseCatalog
    let distribution: Distribution
    let shares: [Platform: VersionShares]
    let settings: AppSettings
    let policy: Policy
    let now: Instant
    let strictness: Strictness
}

extension CheckFinding {
    /// What the checks that are asked find in what operations would change of some documents.
    package static func findings(
        in operations: [Operation],
        _ grounds: CheckGrounds,
        asking asked: Set<CheckName> = CheckName.all,
        on document: (Platform) -> Document
    ) -> [CheckFinding] {
        let found = Set(operations.map(\.platform)).flatMap { platform -> [CheckFinding] in
            let before = document(platform)
            var after = before
            for operation in operations where operation.platform == platform {
                after.apply(operation)
            }
            let changes = before.changes(to: after)
            let texts = asked.contains(where: \.isOfTexts) ? after.findingsInTexts(changes) : []
            return after.findingsInLines(after: changes) + texts
                + after.findings(after: changes, of: before, grounds)
                + after.findings(blockingMoreThan: before, changes, grounds)
                + after.findingsInOffers(after: changes)
                + after.findingsInOffers(of: before, grounds)
                + after.findingsOfReaders(after: changes, grounds)
                + after.findingsInAdvice(after: changes, grounds.releases.releases(on: platform))
                + after.findingsInPackages(after: changes, of: before, grounds)
        }
        let order = Dictionary(uniqueKeysWithValues: zip(CheckName.allCases, 0...))
        return found.filter { asked.contains($0.check) }.sorted { left, right in
            (order[left.check] ?? 0, left.field) < (order[right.check] ?? 0, right.field)
        }
    }
}

extension Document {
    /// What the checks find after these changes led to this document, whatever its texts say.
    fileprivate func findingsInLines(after changes: [FieldChange]) -> [CheckFinding] {
        changes.flatMap { change -> [CheckFinding] in
            switch change.field.subject {
            case .offers, .legacy, .packages: []
            case .threshold(_, .value): lowered(change) + recommended(change)
            case .threshold(let name, .text(let part, _)): removed(change, name, part)
            }
        }
    }

    /// What the checks find in the texts that these changes write.
    fileprivate func findingsInTexts(_ changes: [FieldChange]) -> [CheckFinding] {
        let found = changes.flatMap { change -> [CheckFinding] in
            guard case .threshold(let name, .text(let part, let language)) = change.field.subject,
                let text = change.after?.text
            else { return [] }
            return text.findings(in: change.field, part, language)
                + repeated(text, change.field, name, part, language)
        }
        precondition(found.allSatisfy(\.check.isOfTexts), "who asks for no text misses nothing")
        return found
    }

    private func lowered(_ change: FieldChange) -> [CheckFinding] {
        guard change.field.threshold?.isMinimum == true, case .version(let before)? = change.before,
            before.holdsSomebodyBack
        else { return [] }
        let after: VersionValue? =
            if case .version(let version)? = change.after { version } else { nil }
        guard after?.isOlder(than: before) ?? true else { return [] }
        let now = after.map { "falls from \(before) to \($0)" } ?? "of \(before) is taken away"
        return [
            CheckFinding(
                .minimumLowered,
                change.field,
                "\(change.field) \(now): versions run again that did not."
            )
        ]
    }

    /// A recommendation below its minimum is found at whichever of the two was written.
    private func recommended(_ change: FieldChange) -> [CheckFinding] {
        let pairs: [(ThresholdName, ThresholdName)] = [
            (.minimumOS, .recommendedOS), (.minimumApp, .recommendedApp),
        ]
        return pairs.compactMap { low, high in
            guard let name = change.field.threshold, [low, high].contains(name),
                let minimum = self[low].value,
                let advised = self[high].value, advised.holdsSomebodyBack,
                advised.isOlder(than: minimum)
            else { return nil }
            return CheckFinding(
                .minimumAboveRecommended,
                change.field,
                "\(low.rawValue) is \(minimum) and \(high.rawValue) is \(advised): what is"
                    + " recommended does not run."
            )
        }
    }

    private func removed(
        _ change: FieldChange,
        _ name: ThresholdName,
        _ part: TextPart
    ) -> [CheckFinding] {
        guard change.after == nil, name.partsShown.contains(part),
            self[name].value?.holdsSomebodyBack == true
        else { return [] }
        return [
            CheckFinding(
                .languageRemoved,
                change.field,
                "\(change.field) is taken away: who reads that language sees another or nothing."
            )
        ]
    }

    private func repeated(
        _ text: Text,
        _ field: Field,
        _ name: ThresholdName,
        _ part: TextPart,
        _ language: LanguageTag
    ) -> [CheckFinding] {
        guard name.partsShown.contains(part) else { return [] }
        return platform.thresholds.filter { $0 != name }.flatMap { name in
            name.partsShown.compactMap { part -> CheckFinding? in
                guard self[name].texts(part)[language]?.saysTheSame(as: text) == true else {
                    return nil
                }
                let other = Field(platform, name, .text(part, language))
                return CheckFinding(
                    .textsEqual,
                    field,
                    "\(field) says the same as \(other): one of them is about something else."
                )
            }
        }
    }
}

extension App {
    /// The required texts that are missing where the operations touch a threshold that holds
    /// somebody back.
    func missingTexts(
        in after: [Platform: Document],
        touchedBy operations: [Operation]
    ) -> [Objection] {
        fieldsMissing(in: after, touchedBy: operations).map(Objection.textMissing)
    }

    package func fieldsMissing(applying operations: [Operation]) -> [Field] {
        fieldsMissing(in: documents(applying: operations), touchedBy: operations)
    }

    func fieldsMissing(
        in after: [Platform: Document],
        touchedBy operations: [Operation]
    ) -> [Field] {
        fieldsMissing(in: after, touching: Set(operations.compactMap(\.place)))
    }

    package func fieldsMissing(
        in after: [Platform: Document],
        touching places: Set<ThresholdPlace>
    ) -> [Field] {
        places.flatMap { touched -> [Field] in
            guard let threshold = after[touched.platform]?[touched.name] else { return [] }
            return missingFields(of: threshold, touched)
        }.sorted()
    }

    /// What every document lacks in a language.
    func fieldsMissing(in language: LanguageTag) -> [Field] {
        documents.values.flatMap { document in
            ThresholdName.allCases.flatMap { name in
                document[name].partsNeeded(for: name)
                    .filter { document[name].texts($0)[language] == nil }
                    .map { Field(document.platform, name, .text($0, language)) }
            }
        }.sorted()
    }

    private func missingFields(of threshold: Threshold, _ touched: ThresholdPlace) -> [Field] {
        threshold.partsNeeded(for: touched.name).flatMap { part in
            settings.languages.filter { threshold.texts(part)[$0] == nil }
                .map { Field(touched.platform, touched.name, .text(part, $0)) }
        }
    }
}

extension Threshold {
    /// The parts that need a text in every required language: those that phones show, and those that
    /// have a text in any.
    fileprivate func partsNeeded(for name: ThresholdName) -> [TextPart] {
        TextPart.allCases.filter { part in
            let isShown = value?.holdsSomebodyBack == true && name.partsShown.contains(part)
            return isShown || !texts(part).isEmpty
        }
    }
}
