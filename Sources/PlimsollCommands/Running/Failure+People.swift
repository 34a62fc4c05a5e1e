import PlimsollDomain

extension Failure {
    /// Whether one of the things that stand in the way has an id in it that may be a person's.
    ///
    /// The detail alone, as of a service that is away, may have the id of a request or a write.
    var mayNameSomebody: Bool {
        checks.flatMap { [$0.detail, $0.remedy ?? ""] }.contains { sentence in
            sentence.split { !$0.isHexDigit && $0 != "-" }
                .contains { PrincipalID(String($0)) != nil }
        }
    }

    /// The same with names in place of the ids of those who are known.
    func naming(_ people: People) -> Failure {
        Failure(
            status,
            title,
            detail: detail.map(people.naming),
            checks: checks.map { check in
                Check(
                    detail: people.naming(in: check.detail),
                    remedy: check.remedy.map(people.naming)
                )
            },
            next: next
        )
    }
}
