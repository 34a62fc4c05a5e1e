package import PlimsollDomain

/// `/v1/tokens` and `/v1/me`: who may come in, and as what.
extension AdminClient {
    package func identity() async throws(AdminError) -> IdentityAnswer {
        try await get("/v1/me")
    }

    package func tokens() async throws(AdminError) -> TokenList {
        try await get("/v1/tokens")
    }

    package func principals() async throws(AdminError) -> PrincipalList {
        try await get("/v1/principals")
    }

    /// Erases what somebody is called, for good.
    package func eraseName(
        of id: PrincipalID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/principals/\(id)/name", write)
    }

    /// The secret comes with this answer and never again.
    package func issueToken(
        _ form: TokenForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> IssuedTokenAnswer {
        try await post(form, to: "/v1/tokens", write)
    }

    /// The secret of the new token comes with this answer and never again.
    package func renewToken(
        _ form: RenewalForm = RenewalForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> IssuedTokenAnswer {
        try await post(form, to: "/v1/tokens/renew", write)
    }

    package func suspend(
        _ id: PrincipalID,
        _ form: SuspensionForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/suspend", write)
    }

    package func resume(
        _ id: PrincipalID,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/resume", write)
    }

    package func revokeRole(
        of id: PrincipalID,
        _ form: RoleRevocationForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/revoke-role", write)
    }

    package func revokeToken(
        _ id: TokenID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/tokens/\(id)", write)
    }
}
