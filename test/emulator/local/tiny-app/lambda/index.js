exports.handler = async () => ({
  statusCode: 200,
  body: JSON.stringify({ node: process.version, environment: process.env }),
});
