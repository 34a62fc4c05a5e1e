import PlimsollDomain
import PlimsollSystem

/// What the thread of some connections answers with, and counts; no other thread touches it.
struct Responder {
    private let source: TableSource
    private let limits: EdgeLimits
    private let metrics: EdgeMetrics
    private let devices: (any DeviceResponder)?
    private let largePosts: Admission
    private let packages: PackageLookup?
    private var answers: LoopAnswers
    private var generation = -1
    private var counts = [Int](repeating: 0, count: AnswerStatus.allCases.count)
    private var reportedConnections = 0

    private static let notFound = LoopAnswers.number(of: .notFound)
    private static let methodNotAllowed = LoopAnswers.number(of: .methodNotAllowed)
    private static let firstDocument = StandardAnswers.all.count

    init(_ parts: EdgeParts) {
        source = parts.source
        limits = parts.limits
        metrics = parts.metrics
        (devices, largePosts) = (parts.devices, parts.largePosts)
        packages = parts.packages
        answers = LoopAnswers(source.table)
        setDate()
    }

    /// Goes over to the newest table; called before a batch of requests, never within one.
    @inline(__always)
    mutating func catchUp() {
        if let table = source.tableNewer(than: &generation) { answers.replace(table) }
    }

    /// What the bytes from a place on ask for; moves the place behind it.
    @inline(__always)
    mutating func turn(
        _ bytes: Span<UInt8>,
        from place: inout Int,
        isDraining: Bool
    ) -> Turn {
        do {
            let head = try RequestParser.parse(bytes, from: place, limits: limits)
            let number = answers.number(for: head, in: bytes)
            if number < Self.firstDocument,
                let turn = elsewhere(head, number, bytes, from: &place, isDraining: isDraining)
            {
                return turn
            }
            place = head.end
            return .reply(reply(number, to: head, isDraining: isDraining))
        } catch {
            guard case .refused(let refusal) = error else { return .incomplete }
            return .reply(self.refusal(refusal))
        }
    }

    private mutating func reply(_ number: Int, to head: RequestHead, isDraining: Bool) -> Reply {
        Reply(
            answer: answer(number),
            headOnly: head.method == .head,
            isLast: !head.keepsConnection || isDraining,
            endsRequests: !head.isPersistent && !head.hasBody
                && [.get, .head].contains(head.method)
        )
    }

    /// What leads somewhere although no table has the path on every host.
    @inline(never)
    private mutating func elsewhere(
        _ head: RequestHead,
        _ number: Int,
        _ bytes: Span<UInt8>,
        from place: inout Int,
        isDraining: Bool
    ) -> Turn? {
        switch number {
        case Self.notFound:
            place = head.end
            if let number = answers.wellKnown(head, in: bytes) {
                return .reply(reply(number, to: head, isDraining: isDraining))
            }
            let isLast = !head.keepsConnection || isDraining
            if let (tiles, address) = answers.tile(for: head, in: bytes) {
                return .later(.tile(address, tiles), LateRequest(head, bytes, isLast: isLast))
            }
            if let (name, snapshots) = answers.snapshot(for: head, in: bytes) {
                guard let snapshots else {
                    let number = LoopAnswers.number(of: .snapshotsNotKept)
                    return .reply(reply(number, to: head, isDraining: isDraining))
                }
                return .later(.snapshot(name, snapshots), LateRequest(head, bytes, isLast: isLast))
            }
            if let packages, let name = packages.name(at: head.target, in: bytes) {
                return .later(.package(name, packages), LateRequest(head, bytes, isLast: isLast))
            }
            return standard(for: head, bytes).map {
                .reply(reply(LoopAnswers.number(of: $0), to: head, isDraining: isDraining))
            }
        case Self.methodNotAllowed where head.method == .post:
            return post(head, bytes, from: &place, isDraining: isDraining)
        default:
            return nil
        }
    }

    /// What is said, rather than that nothing is there, of an address where nothing is read.
    private func standard(for head: RequestHead, _ bytes: Span<UInt8>) -> AnswerStatus? {
        if devices != nil, answers.route(for: head, in: bytes) != nil { return .readingNotAllowed }
        return answers.isUnloaded(head, in: bytes) ? .notLoaded : nil
    }

    private mutating func post(
        _ head: RequestHead,
        _ bytes: Span<UInt8>,
        from place: inout Int,
        isDraining: Bool
    ) -> Turn? {
        guard let devices else { return nil }
        guard let route = answers.route(for: head, in: bytes) else {
            guard answers.isOfUnloadedMarketplace(head, in: bytes) else { return nil }
            return .reply(refusal(with: .unavailable))
        }
        if let status = refusalOfPost(head) { return .reply(refusal(with: status)) }
        let end = head.end + Int(head.bodyLength)
        guard end <= bytes.count else {
            return body(
                BodyNotes(
                    length: end - place,
                    isInvited: head.expectsInvitation && bytes.count == head.end
                )
            )
        }
        place = end
        let post = DevicePost(
            route.address,
            of: route.storefront,
            authorization: head.authorizations.first.map { Self.text(bytes, $0) },
            body: Array(copying: bytes.extracting(head.end..<end))
        )
        let isLast = !head.isPersistent || isDraining
        return .later(.post(post, devices), LateRequest(isLast: isLast))
    }

    private func refusalOfPost(_ head: RequestHead) -> AnswerStatus? {
        if head.isChunked { return .lengthRequired }
        if head.bodyLength > limits.postSizeMaximum { return .postTooLarge }
        return head.authorizations.count > 1 ? .malformed : nil
    }

    private mutating func body(_ notes: BodyNotes) -> Turn {
        guard notes.length > BodyPlace.smallMaximum else { return .withinBody(notes) }
        guard let place = BodyPlace(among: largePosts) else {
            return .reply(refusal(with: .postsBusy))
        }
        var notes = notes
        notes.place = place
        return .withinBody(notes)
    }

    private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: Array(copying: bytes.extracting(range)), as: UTF8.self)
    }

    /// The head that a request over HTTP/2 begins with, where its body is waited for.
    func awaitsBody(of head: Span<UInt8>) -> RequestHead? {
        guard
            devices != nil,
            let parsed = try? RequestParser.parse(head, from: 0, limits: limits),
            parsed.method == .post, refusalOfPost(parsed) == nil,
            answers.route(for: parsed, in: head) != nil
        else { return nil }
        return parsed
    }

    /// A place for a body that turned out to be large; `nil` where there is none.
    func placeForBody() -> BodyPlace? { BodyPlace(among: largePosts) }

    func isTooLarge(bodyOf count: Int) -> Bool { count > Int(limits.postSizeMaximum) }

    mutating func refusal(_ refusal: RequestRefusal) -> Reply {
        self.refusal(with: refusal.status)
    }

    mutating func refusal(with status: AnswerStatus) -> Reply {
        Reply(answer: answer(status), headOnly: false, isLast: true)
    }

    private mutating func answer(_ status: AnswerStatus) -> PreparedAnswer {
        answer(LoopAnswers.number(of: status))
    }

    @inline(__always)
    private mutating func answer(_ number: Int) -> PreparedAnswer {
        let answer = answers.answer(number)
        counts[answer.status.rawValue] += 1
        return answer
    }

    /// The answer to who waited for it.
    mutating func reply(_ delivery: Delivery, to request: LateRequest) -> Reply {
        var file: FilePart?
        let answer =
            switch delivery {
            case .tile(let resource):
                resource.map { dated($0, isKnown: request.isKnown($0.tag)) } ?? answer(.notFound)
            case .device(let reply): dated(reply.prepared)
            case .file(let found):
                found.map { dated($0, to: request, &file) } ?? answer(.notFound)
            case .busy(let status): answer(status)
            }
        return Reply(
            answer: answer,
            headOnly: request.headOnly,
            isLast: request.isLast,
            file: file
        )
    }

    /// The answer of a resource that no table has: the head alone to who has it already.
    private mutating func dated(_ resource: PreparedResource, isKnown: Bool) -> PreparedAnswer {
        let number = PreparedResource.answerNumber(gzip: false, notModified: isKnown)
        return dated(resource.answers[number])
    }

    private mutating func dated(
        _ file: OpenFile,
        to request: LateRequest,
        _ body: inout FilePart?
    ) -> PreparedAnswer {
        let answer = FileAnswer(file, to: request)
        body = answer.body
        return dated(answer.head)
    }

    private mutating func dated(_ answer: consuming PreparedAnswer) -> PreparedAnswer {
        counts[answer.status.rawValue] += 1
        return answers.dated(answer)
    }

    // MARK: Time

    mutating func setDate() {
        let instant = Instant.current
        answers.setDate(HTTPDate.text(instant), second: instant.millisecondsSince1970 / 1000)
    }

    mutating func report(connections: Int) {
        for status in AnswerStatus.allCases where counts[status.rawValue] > 0 {
            metrics.countAnswers(status, counts[status.rawValue])
            counts[status.rawValue] = 0
        }
        metrics.countConnections(connections - reportedConnections)
        reportedConnections = connections
    }
}
