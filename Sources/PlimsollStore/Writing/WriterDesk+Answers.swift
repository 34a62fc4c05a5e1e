import Logging
import Metrics
import PlimsollDomain
import PlimsollPostgres

extension WriterDesk {
    /// Goes through the group in order; whoever stands behind the first that was not appended
    /// was decided on a world that did not come about.
    mutating func answer(
        _ draft: Draft,
        _ answers: [AppendAnswer]
    ) async throws(LogError) -> [Job] {
        var rest = answers[...]
        var refused: [(Job, WriteError)] = []
        for (index, (job, verdict)) in draft.verdicts.enumerated() {
            switch verdict {
            case .refused(let error): refused.append((job, error))
            case .accepted(let command, let next):
                guard let answer = rest.popFirst() else { break }
                if case .appended(let span) = answer {
                    try await take(command, span, next, job)
                    continue
                }
                let later = draft.verdicts[(index + 1)...].map(\.job)
                let unsettled = try await settle(refused)
                return unsettled + (try await settle(job, answer)) + later
            }
        }
        return try await settle(refused)
    }

    /// Folds the events of an appended command, and what others appended before them.
    private mutating func take(
        _ command: LogCommand,
        _ span: LogSpan,
        _ next: World,
        _ job: Job
    ) async throws(LogError) {
        if let first = span.first, first > world.position.advanced(by: 1) {
            try await catchUp(to: first.advanced(by: -1))
        }
        let events = fold(command, leadingTo: next)
        publish(world)
        job.finish(
            .success(
                Receipt(
                    span: span,
                    events: events,
                    outcome: command.outcome,
                    recordedAt: command.recordedAt,
                    freshness: .written,
                    world: world
                )
            )
        )
    }

    /// Folds the events of a command where they came to stand: mostly where it was decided that
    /// they would, and then nothing is left to do.
    private mutating func fold(
        _ command: LogCommand,
        leadingTo next: World
    ) -> [RecordedEvent] {
        let drafted = command.events.map(\.recorded)
        guard drafted.first?.position != world.position.advanced(by: 1) else {
            adopt(next, recordedAt: command.recordedAt)
            return drafted
        }
        return drafted.map { event in
            let recorded = event.standing(at: world.position.advanced(by: 1))
            fold(recorded)
            return recorded
        }
    }

    /// Answers a command that was not appended, or gives it back to be decided again.
    private mutating func settle(
        _ job: Job,
        _ answer: AppendAnswer
    ) async throws(LogError) -> [Job] {
        switch answer {
        case .appended, .undecided: return [job]
        case .duplicate(let known):
            try await repeatAnswer(known, job)
            return []
        case .mismatch:
            job.finish(.failure(.mismatch))
            return []
        case .conflict:
            Counter(label: "plimsoll.log.conflicts").increment()
            try await catchUp()
            return again(job)
        case .clockBehind:
            try await catchUp()
            return again(job)
        }
    }

    private func again(_ job: Job) -> [Job] {
        guard job.noteAttempt() < Self.attemptsMaximum else {
            job.finish(.failure(.contended))
            return []
        }
        return [job]
    }

    /// Answers refused commands, unless they were written before under the same id, or others
    /// have appended what might change the refusal: then they are given back.
    private mutating func settle(
        _ refused: [(Job, WriteError)]
    ) async throws(LogError) -> [Job] {
        guard !refused.isEmpty else { return [] }
        let known = try await log.commands(refused.map(\.0.id))
        let before = world.position
        try await catchUp()
        var again: [Job] = []
        for (job, error) in refused {
            if let known = known[job.id] {
                try await settle(job, known)
            } else if world.position > before {
                again += self.again(job)
            } else {
                job.finish(.failure(error))
            }
        }
        return again
    }

    private mutating func settle(
        _ job: Job,
        _ known: (requestDigest: [UInt8], command: KnownCommand)
    ) async throws(LogError) {
        if known.requestDigest == job.request.identity.requestDigest {
            try await repeatAnswer(known.command, job)
        } else {
            job.finish(.failure(.mismatch))
        }
    }

    private mutating func repeatAnswer(
        _ known: KnownCommand,
        _ job: Job
    ) async throws(LogError) {
        if known.span.last > world.position { try await catchUp() }
        job.finish(
            .success(
                Receipt(
                    span: known.span,
                    events: try await log.events(in: known.span),
                    outcome: known.outcome,
                    recordedAt: known.recordedAt,
                    freshness: job.mayBeWritten ? .written : .repeated,
                    world: world
                )
            )
        )
    }

    /// Settles an append that failed.
    ///
    /// If the server refused it, nothing was written; otherwise it is done again under the same
    /// ids, which shows what became of it.
    func settle(
        _ waiting: [Job],
        after error: PostgresError
    ) throws(LogError) -> [Job] {
        if error.isPassing {
            for job in waiting { job.noteOpenOutcome() }
            throw .database(error)
        }
        logger.error("append refused", metadata: ["error": "\(error)"])
        for job in waiting { job.finish(.failure(.storeAway)) }
        return []
    }
}

extension PostgresError {
    /// Whether the database may take the same statement a moment later.
    fileprivate var isPassing: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .commitUnknown, .cancelled, .timedOut, .closed,
            .aborted:
            true
        case .server: sqlState?.isConnectionLoss ?? false
        case .decoding, .misuse: false
        }
    }
}

extension RecordedEvent {
    /// The same event where it came to stand.
    fileprivate func standing(at position: Position) -> RecordedEvent {
        RecordedEvent(
            position: position,
            id: id,
            stream: stream,
            revision: revision,
            recordedAt: recordedAt,
            command: command,
            origin: origin,
            event: event
        )
    }
}
