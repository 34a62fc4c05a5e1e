import PlimsollService
import HTTPTypes

extension RouteTable {
    static let documents = [
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}",
            name: "getDocument",
            summary: "A document, as it is or as it was.",
            query: moment,
            answer: .init(schema: "Document")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}/blame",
            name: "blameDocument",
            summary: "Blame: who last changed each field of a document, who approved it and why.",
            query: moment,
            answer: .init(schema: "Blame")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}/history",
            name: "getFieldHistory",
            summary: "Every event that wrote a field, newest first, and the people behind it.",
            query: [Parameter(name: "field", schema: .field, isRequired: true)] + moment
                + paging(most: FieldHistoryQuery.limitMaximum),
            answer: .init(schema: "FieldHistory")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/diff",
            name: "diffStates",
            summary: "The differences between two states, field by field.",
            query: [
                Parameter(name: "from", schema: .state, isRequired: true),
                Parameter(name: "to", schema: .state, isRequired: true),
                Parameter(name: "platform", schema: .platform, isRepeatable: true),
            ],
            answer: .init(schema: "Diff")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/prince-of-versions",
            name: "getPrinceOfVersions",
            summary: "The document for clients of Prince of Versions, and what it cannot say.",
            query: moment + [Parameter(name: "in", schema: .state)],
            answer: .init(schema: "PrinceOfVersions")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/simulate",
            name: "simulate",
            summary: "Simulates a device now, at a time, under a change or after a rollback.",
            query: device + moment + [
                Parameter(name: "from", schema: .state), Parameter(name: "to", schema: .state),
            ],
            answer: .init(schema: "Simulation")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/simulate",
            name: "simulateEdits",
            summary: "Simulates a device after edits; nothing is written.",
            body: "SimulationOrder",
            answer: .init(schema: "Simulation"),
            isQuestion: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/matrix",
            name: "simulateReleases",
            summary: "Simulates every known release on every system that counts, in two states.",
            query: [
                Parameter(name: "platform", schema: .platform, isRequired: true),
                Parameter(name: "from", schema: .state), Parameter(name: "to", schema: .state),
            ],
            answer: .init(schema: "Matrix")
        ),
    ]

    private static let device = [
        Parameter(name: "platform", schema: .platform, isRequired: true),
        Parameter(name: "os", schema: .dottedVersion, isRequired: true),
        Parameter(
            name: "app",
            schema: .dottedVersion,
            isRequired: true,
            description: "The version of the app that runs on the device."
        ),
        Parameter(name: "store", schema: .dottedVersion),
        Parameter(name: "language", schema: .languages, isRequired: true),
        Parameter(name: "client", schema: .simulatedClient),
    ]
}
