import HTTPTypes

extension RouteTable {
    static let policies = [
        RouteDescription(
            method: .get,
            path: "/v1/policy",
            name: "getDefaultPolicy",
            summary: "The default policy: who has to approve what in apps without their own.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/policy",
            name: "changeDefaultPolicy",
            summary: "Replace the default policy.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/policy",
            name: "getPolicy",
            summary: "The policy of an app: its own, or the default one.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/policy",
            name: "changePolicy",
            summary: "Replace the policy of an app.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/policy",
            name: "resetPolicy",
            summary: "Have an app follow the default policy again.",
            body: "PolicyReset",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            bindsToPolicy: true,
            answersWhole: true
        ),
    ]
}
