export const GOOGLE_ADDRESS = 'https://generativelanguage.googleapis.com';
