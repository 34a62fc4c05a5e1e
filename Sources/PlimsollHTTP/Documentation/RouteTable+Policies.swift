import HTTPTypes

extension RouteTable {
    static let policies = [
        RouteDescription(
            method: .get,
            path: "/v1/policy",
            name: "getDefaultPolicy",
            summary: "Who has to agree to what in every app that has no policy of its own.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/policy",
            name: "changeDefaultPolicy",
            summary: "Put a policy into force for every app that has none of its own.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/policy",
            name: "getPolicy",
            summary: "Who has to agree to what in an app: its own policy, or the one it inherits.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/policy",
            name: "changePolicy",
            summary: "Put a policy of its own into force for an app.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/policy",
            name: "resetPolicy",
            summary: "Have an app follow the default policy again; only tried, it says so.",
            body: "PolicyReset",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            bindsToPolicy: true,
            answersWhole: true
        ),
    ]
}
