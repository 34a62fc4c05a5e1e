import HTTPTypes

extension RouteTable {
    static let schedules = [
        RouteDescription(
            method: .post,
            path: "/v1/changes/{change}/schedule",
            name: "scheduleChange",
            summary: "Give a change a time of its own, another one, or none; approvals of what it"
                + " was count no more.",
            body: "Scheduling",
            answer: .init(schema: "Change"),
            bindsToDigest: true
        )
    ]
}
