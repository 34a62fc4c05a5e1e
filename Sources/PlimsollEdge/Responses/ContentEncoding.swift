/// How a body travels; its signature is always over the identity form.
enum ContentEncoding: CaseIterable {
    case identity, gzip
}
