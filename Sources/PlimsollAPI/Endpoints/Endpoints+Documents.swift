package import PlimsollDomain

extension Endpoints {
    static let documents: [any EndpointDeclaration] = [
        getDocument, blameDocument, getFieldHistory, diffStates, getPrinceOfVersions, simulate,
        simulateEdits, simulateReleases,
    ]

    package static let getDocument = Read<AppPlatform, DocumentAnswer>(
        .get("getDocument", "/v1/apps/{app}/documents/{platform}"),
        "A document, as it is or as it was.",
        query: .moment
    )

    package static let blameDocument = Read<AppPlatform, BlameAnswer>(
        .get("blameDocument", "/v1/apps/{app}/documents/{platform}/blame"),
        "Blame: who last changed each field of a document, who approved it and why.",
        query: .moment
    )

    package static let getFieldHistory = Read<AppPlatform, FieldHistoryAnswer>(
        .get("getFieldHistory", "/v1/apps/{app}/documents/{platform}/history"),
        "Every event that wrote a field, newest first, and the people behind it.",
        query: [.required("field", .field)] + .moment + .paging(most: 500)
    )

    package static let diffStates = Read<AppSlug, DiffAnswer>(
        .get("diffStates", "/v1/apps/{app}/diff"),
        "The differences between two states, field by field.",
        query: [
            .required("from", .state), .required("to", .state),
            .repeatable("platform", .platform),
        ]
    )

    package static let getPrinceOfVersions = Read<AppSlug, PrinceOfVersionsAnswer>(
        .get("getPrinceOfVersions", "/v1/apps/{app}/prince-of-versions"),
        "The document for clients of Prince of Versions, and what it cannot say.",
        query: .moment + [.optional("in", .state)]
    )

    package static let simulate = Read<AppSlug, SimulationAnswer>(
        .get("simulate", "/v1/apps/{app}/simulate"),
        "Simulates a device now, at a time, under a change or after a rollback.",
        query: [
            .required("platform", .platform), .required("os", .dottedVersion),
            .required(
                "app",
                .dottedVersion,
                "The version of the app that runs on the device."
            ),
            .optional("store", .dottedVersion), .required("language", .languages),
            .optional("client", .simulatedClient),
        ] + .moment + [.optional("from", .state), .optional("to", .state)]
    )

    package static let simulateEdits = Write<AppSlug, SimulationForm, SimulationAnswer>(
        .post("simulateEdits", "/v1/apps/{app}/simulate"),
        "Simulates a device after edits; nothing is written.",
        isQuestion: true
    )

    package static let simulateReleases = Read<AppSlug, MatrixAnswer>(
        .get("simulateReleases", "/v1/apps/{app}/matrix"),
        "Simulates every known release on every system that counts, in two states.",
        query: [
            .required("platform", .platform), .optional("from", .state), .optional("to", .state),
        ]
    )
}
