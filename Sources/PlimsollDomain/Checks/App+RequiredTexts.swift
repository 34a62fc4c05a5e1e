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
