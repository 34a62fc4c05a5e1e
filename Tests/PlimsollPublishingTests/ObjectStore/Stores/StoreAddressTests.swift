import PlimsollAPI
import PlimsollPublishing
import Testing

@Suite struct StoreAddressTests {
    @Test func `an address has a bucket, a prefix, a region and an endpoint`() throws {
        let address = try #require(
            StoreAddress("s3://config/live/a?region=eu-west-2&endpoint=http://127.0.0.1:9000")
        )
        #expect(address.bucket == "config")
        #expect(address.prefix == "live/a/")
        #expect(address.region == "eu-west-2")
        #expect(address.endpoint == ServiceAddress("http://127.0.0.1:9000"))
        #expect("\(address)" == "s3://config/live/a")
    }

    @Test(arguments: ["s3://config", "s3://config/", "s3://con.fig-2/A_b.c/"])
    func `less is enough`(text: String) throws {
        let address = try #require(StoreAddress(text))
        #expect(address.region == nil)
        #expect(address.endpoint == nil)
    }

    @Test(arguments: [
        "", "config", "s3:/config", "https://config/live", "s3://", "s3:///live", "s3://co",
        "s3://Config/live", "s3://-config", "s3://con..fig", "s3://config//live",
        "s3://config/../live", "s3://config/a b", "s3://config/ä", "s3://config/live#a",
        "s3://user@config/live", "s3://config/live?region=", "s3://config/live?region",
        "s3://config/live?region=EU&region=eu", "s3://config?endpoint=ftp://a",
        "s3://config?endpoint=http://a/b", "s3://config?endpoint=http://a?b", "s3://config?key=a",
        "s3://config?region=a&region=b",
    ])
    func `what is no address is refused`(text: String) {
        #expect(StoreAddress(text) == nil)
    }

    @Test(arguments: [
        ["AWS_ENDPOINT_URL": "127.0.0.1:9000"], ["AWS_ENDPOINT_URL_S3": "http://a/b"],
        ["AWS_REGION": "eu west"],
    ])
    func `an environment that leads nowhere is refused`(environment: [String: String]) throws {
        let address = try #require(StoreAddress("s3://config/live"))
        #expect(StorePlace(address, environment: environment) == nil)
    }
}
