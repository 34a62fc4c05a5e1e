package import PlimsollDomain

/// `/v1/keys` and `/v1/apps/{app}/keys`: the keys that sign what is published.
extension AdminClient {
    package func keys() async throws(AdminError) -> KeyList {
        try await get("/v1/keys")
    }

    package func key(_ id: KeyID) async throws(AdminError) -> KeyAnswer {
        try await get("/v1/keys/\(id)")
    }

    package func addKey(
        to app: AppSlug,
        _ form: KeyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/apps/\(app)/keys", write)
    }

    /// Has a key sign that was seen to stand there in its life.
    package func activateKey(
        _ id: KeyID,
        seen: Position,
        _ form: KeyTurnForm = KeyTurnForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/activate", write, ifMatch: seen.description)
    }

    package func retireKey(
        _ id: KeyID,
        seen: Position,
        _ form: KeyTurnForm = KeyTurnForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/retire", write, ifMatch: seen.description)
    }

    package func compromiseKey(
        _ id: KeyID,
        _ form: CompromiseForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/compromise", write)
    }
}
