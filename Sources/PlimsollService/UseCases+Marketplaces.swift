package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// The marketplace that an app is; asks for a viewer.
    package func marketplace(
        of slug: AppSlug,
        for caller: Caller
    ) throws(UseCaseError) -> MarketplaceAnswer {
        let app = try visibleApp(slug, caller, try logState())
        guard let answer = MarketplaceAnswer(app) else {
            throw UseCaseError(.marketplaceUnknown(slug))
        }
        return answer
    }

    /// Makes an app a marketplace; asks for an administrator.
    package func setMarketplace(
        _ form: MarketplaceForm,
        of slug: AppSlug,
        seen: Position?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> MarketplaceAnswer {
        let command = SetMarketplace(
            of: slug,
            to: form.marketplace,
            seen: seen,
            reason: form.reason,
            by: request.caller.principal
        )
        let receipt = try await perform(command, request)
        guard let app = receipt.logState.app(slug), let answer = MarketplaceAnswer(app) else {
            throw .unexpected("a marketplace that was set is not there")
        }
        return answer
    }

    /// Where an app is listed, its packages, and what is offered of them; asks for a viewer.
    package func packages(
        of slug: AppSlug,
        for caller: Caller
    ) throws(UseCaseError) -> PackageList {
        let logState = try logState()
        return PackageList(try visibleApp(slug, caller, logState), at: logState.position)
    }

    /// Makes a package known; asks for whoever may say which releases there are.
    ///
    /// To say again what is known already is done at once, so that a job may be run twice.
    package func ingestPackage(
        _ form: PackageForm,
        of slug: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PackageAnswer {
        let package = form.package
        let command = IngestPackage(
            package,
            of: slug,
            announcedAs: form.announcedAs,
            reason: form.reason,
            by: request.caller.principal
        )
        let logState = try await settled(command, request)
        let app = try existingApp(slug, logState)
        return PackageAnswer(package, app.state(of: package))
    }

    /// Makes known that a package will come; asks for whoever may say which releases there are.
    package func announcePackage(
        _ form: AnnouncementForm,
        of slug: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PackageList {
        let by = request.caller.principal
        let command = AnnouncePackage(form.announcement, of: slug, by: by)
        let logState = try await settled(command, request)
        return PackageList(try existingApp(slug, logState), at: logState.position)
    }

    /// Withdraws packages for ever; asks for a responder or an administrator.
    package func withdrawPackages(
        _ form: PackageWithdrawalForm,
        of slug: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> WithdrawalAnswer {
        let command = WithdrawPackages(
            PackageWithdrawal(versions: form.versions, ids: form.packages, isDemanded: false),
            of: slug,
            reason: form.reason,
            by: request.caller.principal
        )
        guard let receipt = try await performIfNews(command, request) else {
            let logState = try logState()
            let list = PackageList(try existingApp(slug, logState), at: logState.position)
            return WithdrawalAnswer(list: list, taken: [], review: nil)
        }
        let app = try existingApp(slug, receipt.logState)
        let review = receipt.events.lazy.compactMap { Review($0, of: slug) }.first
        let before = try await document(of: slug, before: receipt.events.first?.position)
        return WithdrawalAnswer(
            list: PackageList(app, at: receipt.logState.position),
            taken: (before?.packages ?? []).filter(app.distribution.packages.isWithdrawn),
            review: review.map { review in
                OrderedReview(
                    position: receipt.freshness == .dryRun ? nil : review.position,
                    order: review.order,
                    reviewers: receipt.logState.reviewers(of: review)
                )
            },
            checks: before.map { findings(of: app, from: $0, receipt) } ?? []
        )
    }

    /// What was offered before an append, and demanded.
    private func document(
        of slug: AppSlug,
        before position: Position?
    ) async throws(UseCaseError) -> Document? {
        guard let position else { return nil }
        let state = try await read {
            try await readModels.history.state(of: slug, after: position.before)
        }
        return state?.document(.ios)
    }

    /// What the checks find in what is left, as in a change that leaves no more.
    private func findings(
        of app: App,
        from before: Document,
        _ receipt: Receipt
    ) -> [CheckFinding] {
        let left = app.document(.ios).packages
        guard left != before.packages, let first = receipt.events.first else { return [] }
        let policy = receipt.logState.policy(of: app.slug).policy
        let grounds = app.checkGrounds(under: policy, at: first.recordedAt)
        let operation = Operation(.ios, .packages(.set(left)))
        return CheckFinding.findings(in: [operation], grounds) { _ in before }
    }
}

extension UseCases {
    /// The state once the command is done, or was done before.
    private func settled(
        _ command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> LogState {
        guard let receipt = try await performIfNews(command, request) else { return try logState() }
        return receipt.logState
    }
}

extension MarketplaceAnswer {
    /// `nil` where the app is none.
    init?(_ app: App) {
        guard let marketplace = app.distribution.marketplace,
            let position = app.distribution.marketplaceSince
        else { return nil }
        self.init(app: app.slug, position: position, marketplace: marketplace)
    }
}

extension PackageList {
    init(_ app: App, at position: Position) {
        let distribution = app.distribution
        self.init(
            app: app.slug,
            position: position,
            listings: distribution.listings.sorted { $0.key < $1.key }.map {
                ListingAnswer(app: app.slug, marketplace: $0.key, listing: $0.value)
            },
            packages: distribution.packages.all.map { PackageAnswer($0, app.state(of: $0)) },
            offered: app.document(.ios).packages,
            withdrawn: distribution.packages.withdrawn,
            awaited: distribution.packages.awaited.map(\.id)
        )
    }
}
