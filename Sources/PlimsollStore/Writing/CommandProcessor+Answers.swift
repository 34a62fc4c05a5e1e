import Logging
import Metrics
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

extension CommandProcessor {
    /// How often a command is decided again because others changed what it relies on.
    private static let attemptsMaximum = 16

    /// Answers jobs that nobody carries out on the log that there is.
    ///
    /// What was sent to it before may stand there, or where the log comes from that is put back.
    func refuse(_ jobs: [Job], because loss: Prohibition) {
        for job in jobs { job.finish(.failure(job.mayBeWritten ? .storeAway : .readOnly(loss))) }
    }

    /// Goes through the group in order; whoever stands behind the first that was not appended
    /// was decided on a state that did not come about.
    mutating func answer(
        _ draft: Draft,
        _ answers: [AppendAnswer]
    ) async throws(LogError) -> [Job] {
        let wasOvertaken = try await catchUp(before: answers, to: draft)
        var rest = answers[...]
        var taken: [(Job, Receipt)] = []
        var refused: [Refused] = []
        var unsettled: (job: Job, answer: AppendAnswer, later: [Job])?
        for (index, (job, verdict)) in draft.verdicts.enumerated() {
            switch verdict {
            case .refused(let error):
                // What others appended stands before what was appended of the group.
                let isOvertaken = wasOvertaken && !taken.isEmpty
                refused.append(Refused(job: job, error: error, isOvertaken: isOvertaken))
            case .accepted(let command, let next):
                guard let answer = rest.popFirst() else { break }
                if case .appended(let span) = answer {
                    taken.append((job, take(command, span, next)))
                    continue
                }
                unsettled = (job, answer, draft.verdicts[(index + 1)...].map(\.job))
            }
            if unsettled != nil { break }
        }
        await hand(out: taken)
        let again = try await settle(refused, wereOvertaken: wasOvertaken)
        guard let unsettled else { return again }
        return again
            + (try await settle(unsettled.job, unsettled.answer, before: unsettled.later))
    }

    /// Folds what others appended before the group, which stands in the log without a gap, and says
    /// whether there was anything.
    private mutating func catchUp(
        before answers: [AppendAnswer],
        to draft: Draft
    ) async throws(LogError) -> Bool {
        guard let first = answers.lazy.compactMap(\.first).first,
            first > logState.position.advanced(by: 1)
        else { return false }
        zip(draft.commands, answers).compactMap(LogTip.init).last.map(memory.add(promised:))
        do throws(LogError) {
            try await catchUp(to: first.advanced(by: -1))
            try requireAuthentic(answers, to: draft)
            return true
        } catch {
            for (job, _) in draft.verdicts { job.noteOpenOutcome() }
            throw error
        }
    }

    /// Folds the events of an appended command.
    private mutating func take(
        _ command: LogCommand,
        _ span: LogSpan,
        _ next: LogState
    ) -> Receipt {
        let events = fold(command, leadingTo: next)
        return Receipt(
            span: span,
            events: events,
            outcome: command.outcome,
            recordedAt: command.recordedAt,
            freshness: .written,
            logState: logState
        )
    }

    /// Shows the state, then answers whoever waits, all in one go: a thread that is woken for each
    /// answer costs more than the answer.
    private mutating func hand(out receipts: [(Job, Receipt)]) async {
        guard !receipts.isEmpty else { return }
        show()
        for (job, receipt) in receipts { job.finish(.success(receipt)) }
        // Whoever has another command at once comes along with the next group.
        await Task.yield()
    }

    /// Folds the events of a command where they came to stand: mostly where it was decided that
    /// they would, and then nothing is left to do.
    private mutating func fold(
        _ command: LogCommand,
        leadingTo next: LogState
    ) -> [RecordedEvent] {
        let drafted = command.events.map(\.recorded)
        guard drafted.first?.position != logState.position.advanced(by: 1) else {
            adopt(next, after: command)
            return drafted
        }
        return command.events.map { event in
            let recorded = event.recorded.standing(at: logState.position.advanced(by: 1))
            log.authentication?.note(recorded)
            fold(recorded, from: event.entry)
            return recorded
        }
    }

    /// Throws where what was written stands behind the end of its key, which came in between: nobody
    /// else believes it, so nobody is told of it.
    private func requireAuthentic(
        _ answers: [AppendAnswer],
        to draft: Draft
    ) throws(LogError) {
        var reader = EntryReader(log.authentication)
        for (command, answer) in zip(draft.commands, answers) {
            guard var position = answer.first else { continue }
            for event in command.events {
                try reader.check(event.entry, at: position)
                position = position.advanced(by: 1)
            }
        }
    }

    /// Answers a command that was not appended, or gives it back to be decided again, and so those
    /// behind it.
    private mutating func settle(
        _ job: Job,
        _ answer: AppendAnswer,
        before later: [Job]
    ) async throws(LogError) -> [Job] {
        switch answer {
        case .appended: return [job] + later
        case .undecided: return again(job) + later
        case .duplicate(let known):
            return try await repeatAnswer(known, job, before: later)
        case .mismatch:
            guard job.request.identity.formerDigest != nil,
                let known = try await log.commands([job.id])[job.id]
            else {
                job.finish(.failure(.mismatch))
                return later
            }
            try await confirm()
            try await settle(job, known)
            return later
        case .conflict:
            Counter(label: "plimsoll.log.conflicts").increment()
            try await catchUp()
            return again(job) + later
        case .clockBehind:
            try await catchUp()
            return again(job) + later
        }
    }

    /// Answers all that were written before: after an outage everybody repeats what was asked for.
    private mutating func repeatAnswer(
        _ known: KnownCommand,
        _ job: Job,
        before later: [Job]
    ) async throws(LogError) -> [Job] {
        let others = later.isEmpty ? [:] : try await log.commands(later.map(\.id))
        // It may have been appended, and answered to nobody, because no standby has it yet.
        try await confirm()
        try await repeatAnswer(known, job)
        for job in later {
            if let known = others[job.id] { try await settle(job, known) }
        }
        return later.filter { others[$0.id] == nil }
    }

    /// Returns once this server could have acknowledged an append.
    private func confirm() async throws(LogError) {
        try await reading { () async throws(PostgresError) in try await log.confirm() }
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
    ///
    /// A refusal is true at one moment since the command came, and need not be at the next. Whoever
    /// was given back once is decided on what was read since, behind a confirmation, so its next
    /// refusal counts however busy the others are: unless it rests on what was appended of its own
    /// group, as if nothing of others stood before that.
    private mutating func settle(
        _ refused: [Refused],
        wereOvertaken: Bool
    ) async throws(LogError) -> [Job] {
        guard !refused.isEmpty else { return [] }
        try await confirm()
        let known = try await log.commands(refused.map(\.job.id))
        let before = logState.position
        try await catchUp()
        let isNewer = wereOvertaken || logState.position > before
        var again: [Job] = []
        for refused in refused {
            let job = refused.job
            if let known = known[job.id] {
                try await settle(job, known)
            } else if job.isDecidedOnConfirmed ? refused.isOvertaken : isNewer {
                job.noteConfirmed()
                again += self.again(job)
            } else {
                job.finish(.failure(refused.error))
            }
        }
        return again
    }

    private mutating func settle(
        _ job: Job,
        _ known: (requestDigest: [UInt8], command: KnownCommand)
    ) async throws(LogError) {
        if job.request.identity.isRequest(known.requestDigest) {
            try await repeatAnswer(known.command, job)
        } else {
            job.finish(.failure(.mismatch))
        }
    }

    private mutating func repeatAnswer(
        _ known: KnownCommand,
        _ job: Job
    ) async throws(LogError) {
        if known.span.last > logState.position { try await catchUp() }
        let events = try await log.events(in: known.span)
        // Nothing authenticates a record but the entries that it names, and each says its command.
        guard !events.isEmpty, events.allSatisfy({ $0.command == job.id }) else {
            logger.critical(
                "the record of a command is not the service's; the command is refused",
                metadata: ["command.id": "\(job.id)"]
            )
            job.finish(.failure(.mismatch))
            return
        }
        job.finish(
            .success(
                Receipt(
                    span: known.span,
                    events: events,
                    outcome: known.outcome,
                    recordedAt: known.recordedAt,
                    freshness: job.mayBeWritten ? .written : .repeated,
                    logState: logState
                )
            )
        )
    }

    /// Settles commands that the database did not take.
    ///
    /// Where it is away, this throws, and they are done again under the same ids, which shows what
    /// became of them. Else they are answered, and not done again: where the server refuses what no wait
    /// mends, with that, unless an append before may have written them; anything else, such as a full
    /// disk, is over sometime, as an outage is.
    func settle(
        _ waiting: [Job],
        after error: PostgresError
    ) throws(LogError) -> [Job] {
        if error.isPassing {
            for job in waiting { job.noteOpenOutcome() }
            throw .database(error)
        }
        logger.error("write refused", metadata: ["error": "\(error)"])
        for job in waiting {
            let failure: WriteError =
                if error.isSuperseded {
                    .superseded
                } else if error.isRefusal, !job.mayBeWritten {
                    .storeRefuses(error.descriptionWithStatement)
                } else {
                    .storeAway
                }
            job.finish(.failure(failure))
        }
        return []
    }
}

/// A command that was refused.
private struct Refused {
    let job: Job
    let error: WriteError
    /// Whether it was decided on what no log ever held: others appended before those of its group
    /// that it was decided behind.
    let isOvertaken: Bool
}

extension LogTip {
    /// The last event of a command, if it was appended and has one.
    fileprivate init?(_ command: LogCommand, _ answer: AppendAnswer) {
        guard case .appended(let span) = answer, let last = command.events.last else { return nil }
        self.init(position: span.last, leaf: .leaf(last.entry))
    }
}

extension AppendAnswer {
    /// Where its first event stands, if it was appended and has one.
    fileprivate var first: Position? {
        guard case .appended(let span) = self else { return nil }
        return span.first
    }
}

extension PostgresError {
    /// Whether the server refuses what no wait mends, such as for want of a privilege.
    var isRefusal: Bool { kind == .server && !isTransient }

    /// Whether the database may take the same statement a moment later.
    var isPassing: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .commitUnknown, .cancelled, .timedOut, .closed,
            .aborted:
            true
        case .server: sqlState.map { $0 == .readOnlyTransaction || $0.isConnectionLoss } ?? false
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
