import HTTPTypes
import PlimsollAPI
import PlimsollStore

extension RouteTable {
    static let records = [
        RouteDescription(
            method: .get,
            path: "/v1/events",
            name: "listEvents",
            summary: "The record, newest first; a filter that is repeated means either.",
            query: [
                Parameter(name: "app", schema: .slug, isRepeatable: true),
                Parameter(name: "type", schema: .names(EventBody.types), isRepeatable: true),
                Parameter(name: "actor", schema: .principal, isRepeatable: true),
                Parameter(name: "platform", schema: .platform, isRepeatable: true),
                Parameter(name: "field", schema: .field, isRepeatable: true),
                Parameter(name: "change", schema: .change, isRepeatable: true),
                Parameter(name: "correlation", schema: .uuid, isRepeatable: true),
                Parameter(name: "reason", schema: .string, isRepeatable: true),
                Parameter(name: "since", schema: .oneOf([.instant, .position])),
                Parameter(name: "until", schema: .oneOf([.instant, .position])),
                Parameter(name: "order", schema: .names(EventQuery.Order.self)),
            ] + paging(most: EventQuery.limitMaximum),
            answer: .init(schema: "EventList", mediaTypes: EventController.listForms)
        ),
        RouteDescription(
            method: .get,
            path: "/v1/events/{position}",
            name: "getEvent",
            summary: "One event.",
            answer: .init(schema: "Event", mediaTypes: EventController.eventForms)
        ),
        RouteDescription(
            method: .get,
            path: "/v1/snapshots",
            name: "listSnapshots",
            summary: "The published snapshots of an app, newest first.",
            query: [Parameter(name: "app", schema: .slug, isRequired: true)]
                + paging(most: PublicationController.limitMaximum),
            answer: .init(schema: "SnapshotList")
        ),
    ]
}
